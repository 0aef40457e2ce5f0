import ObjectMapping
import Testing

@testable import ObjectStore

private final class Library: ManagedObject {
    @Stored(.identity) var number = 0
    @ToMany(inverse: \Rack.library, deleteRule: .cascade) var shelves: [Rack]
    @ToMany(inverse: \Loan.library, deleteRule: .deny) var loans: [Loan]
    @ToMany(inverse: nil, deleteRule: .cascade) var posters: [Poster]
    @ToOne(deleteRule: .cascade) var sign: Poster?
    @ToMany(inverse: \Poster.archives, deleteRule: .cascade) var archive: [Poster]
}

private final class Rack: ManagedObject {
    @Stored(.identity) var number = 0
    @Stored var name = ""
    @ToOne var library: Library?
    @ToMany(inverse: \Loan.shelf, deleteRule: .cascade) var loans: [Loan]
}

private final class Loan: ManagedObject {
    @Stored(.identity) var number = 0
    @ToOne var library: Library?
    @ToOne var shelf: Rack?
}

private final class Poster: ManagedObject {
    @Stored(.identity) var number = 0
    @ToMany var archives: [Library]
}

/// Delete rules, for rows that another context has changed since `delete` was called.
@Suite struct `Delete rules of a save` {
    private let store: ManagedObjectStore
    private let context: ObjectContext
    private let other: ObjectContext
    private let library: Library
    /// The library in the other context.
    private let theirs: Library

    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Library.self, Rack.self, Loan.self, Poster.self))
        let new = ObjectContext(store)
        for number in 1...2 {
            Library(in: new).number = number
            Poster(in: new).number = number
            let shelf = Rack(in: new)
            (shelf.number, shelf.library) = (number, try new.find(Library.self, 1))
        }
        try new.save()
        (context, other) = (ObjectContext(store), ObjectContext(store))
        library = try #require(try context.find(Library.self, 1))
        theirs = try #require(try other.find(Library.self, 1))
    }

    private func count(_ table: String) throws -> Int64? { try context.value("SELECT count(*) FROM \(table)")?.integer }

    private func expectConsistent() throws {
        #expect(try store.rows(sql: "PRAGMA foreign_key_check").isEmpty && !context.hasChanges)
    }

    @Test func `a cascade deletes rows that another context has added since, through any number of levels`() throws {
        context.delete(library)
        let shelf = Rack(in: other)
        (shelf.number, shelf.library) = (3, theirs)
        let loan = Loan(in: other)
        (loan.number, loan.shelf) = (1, shelf)
        (theirs.posters, theirs.sign) = ([try #require(try other.find(Poster.self, 1))], nil)
        theirs.sign = try other.find(Poster.self, 2)
        try other.save()
        try context.save()
        #expect(try count("Rack") == 0 && count("Loan") == 0 && count("Poster") == 0 && count("Library") == 1)
        try expectConsistent()
    }

    @Test func `an object of the context that a cascade deletes in the file is deleted in memory`() throws {
        let shelf = Rack(in: other)
        shelf.number = 3
        try other.save()
        let mine = try #require(try context.find(Rack.self, 3))
        mine.name = "changed"
        context.delete(library)
        shelf.library = theirs
        try other.save()
        try context.save()
        #expect(mine.managed.state == .deleted && mine.managed.context == nil && mine.name == "changed")
        #expect(try count("Rack") == 0)
        try expectConsistent()
    }

    @Test func `a denial counts rows that another context has added since`() throws {
        context.delete(library)
        let loan = Loan(in: other)
        (loan.number, loan.library) = (1, theirs)
        try other.save()
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(
            error?.description == """
                cannot save: others added objects that prevent a deletion, nothing was saved
                - Library.loans of Library/1: cannot be deleted while 'loans' has objects (delete rule .deny)
                """)
        #expect(try count("Library") == 2 && count("Rack") == 2)
        other.delete(loan)
        try other.save()
        try context.save()
        #expect(try count("Library") == 1 && count("Rack") == 0)
    }

    @Test func `objects that the context moved, removed or brought back are not deleted`() throws {
        let setup = [try #require(try other.find(Poster.self, 1)), try #require(try other.find(Poster.self, 2))]
        (theirs.posters, theirs.sign, theirs.archive) = (setup, setup[0], setup)
        try other.save()
        context.refresh()
        let (first, second) = (
            try #require(try context.find(Rack.self, 1)), try #require(try context.find(Rack.self, 2))
        )
        first.library = try context.find(Library.self, 2)
        (library.posters, library.sign, library.archive) = ([], nil, [])
        context.delete(library)
        #expect(second.managed.state == .deleted)
        context.insert(second)
        try context.save()
        #expect(try count("Poster") == 2 && count("Rack") == 2 && count("Library") == 1)
        #expect(second.library == nil && first.library?.number == 2)
        try expectConsistent()
    }

    @Test func `objects that the other side removed are not deleted`() throws {
        let poster = try #require(try other.find(Poster.self, 1))
        theirs.archive = [poster]
        try other.save()
        context.refresh()
        try #require(try context.find(Poster.self, 1)).archives = []
        context.delete(library)
        try context.save()
        #expect(try count("Poster") == 2)
        try expectConsistent()
    }
}
