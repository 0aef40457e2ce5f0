import Foundation
import ObjectMapping
import Testing

@testable import ObjectStore

private final class Cabinet: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @ToMany(inverse: \Folder.cabinet, deleteRule: .cascade) var folders: [Folder]

    static let mapping = Mapping(Cabinet.self) {
        Attribute("number", \.number)
        Relationship("folders", \.folders).policy(.replace)
    }
}

private final class Folder: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @ToOne var cabinet: Cabinet?
    @ToMany(inverse: \Sheet.folder) var sheets: [Sheet]

    static let mapping = Mapping(Folder.self) {
        Attribute("number", \.number)
        Relationship("sheets", \.sheets)
    }
}

private final class Sheet: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @ToOne(isRequired: true) var folder: Folder?

    static let mapping = Mapping(Sheet.self) { Attribute("number", \.number) }
}

/// Objects that others require, whether these are in memory or not.
@Suite struct RequiredTargetTests {
    /// The ways to delete an object.
    enum Deletion: CaseIterable {
        case listRead, listUnread, suspending, query, cascade, cascadeByQuery, importReplaced
    }

    private let store: ManagedObjectStore
    private let context: ObjectContext

    /// A store with a folder of 30 sheets in a cabinet, another folder, and a context without objects.
    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Cabinet.self, Folder.self, Sheet.self))
        let first = ObjectContext(store)
        let cabinet = Cabinet(in: first)
        cabinet.number = 1
        let folders = (1...2).map { number in
            let folder = Folder(in: first)
            folder.number = number
            return folder
        }
        folders[0].cabinet = cabinet
        for number in 1...30 {
            let sheet = Sheet(in: first)
            (sheet.number, sheet.folder) = (number, folders[0])
        }
        try first.save()
        context = ObjectContext(store)
    }

    private func folder(_ number: Int) throws -> Folder { try #require(try context.find(Folder.self, number)) }

    /// The numbers of folders, sheets and sheets without a folder.
    private func counts() throws -> [Int64?] {
        try ["Folder", "Sheet", "Sheet WHERE folder IS NULL"].map { table in
            try context.value("SELECT count(*) FROM \(table)")?.integer
        }
    }

    private func delete(_ deletion: Deletion) async throws {
        switch deletion {
        case .listRead:
            let folder = try folder(1)
            #expect(folder.sheets.count == 30)
            context.delete(folder)
            try save()
        case .listUnread:
            context.delete(try folder(1))
            try save()
        case .suspending:
            context.delete(try folder(1))
            try await context.save()
        case .query: try deleteAll(Folder.self)
        case .cascade:
            context.delete(try cabinet())
            try save()
        case .cascadeByQuery: try deleteAll(Cabinet.self)
        case .importReplaced:
            _ = try await store.importJSON(Data(#"{"number":1,"folders":[]}"#.utf8), with: Cabinet.mapping)
        }
    }

    /// The error of a call that fails, or the reason why an import failed.
    private func failure(_ body: () async throws -> Void) async -> StoreError? {
        do {
            try await body()
        } catch {
            return error as? StoreError ?? (error as? ImportError)?.cause as? StoreError
        }
        return nil
    }

    // Synchronous forms.
    private func cabinet() throws -> Cabinet { try #require(try context.fetch(Cabinet.all).first) }
    private func save() throws { try context.save() }
    private func deleteAll(_ type: (some ManagedObject).Type) throws { _ = try context.delete(type.all) }

    @Test(arguments: Deletion.allCases)
    func `an object that others require cannot be deleted, and the error names these`(_ deletion: Deletion) async throws
    {
        let error = await failure { try await delete(deletion) }
        #expect(error?.kind == .invalidObjects)
        #expect(error?.message.contains("30") == true, "\(error?.message ?? "")")
        let names = error?.problems.map { "\($0.object.entity).\($0.property ?? "")" } ?? []
        // The error of objects that are not in memory names some of them.
        #expect(names == Array(repeating: "Sheet.folder", count: deletion == .listRead ? 30 : 20))
        #expect(try counts() == [2, 30, 0])
    }

    @Test(arguments: [false, true])
    func `objects that are deleted in the same save do not count`(isFolderFirst: Bool) throws {
        let sheets = try context.fetch(Sheet.all)
        let folder = try folder(1)
        if isFolderFirst { context.delete(folder) }
        for sheet in sheets { context.delete(sheet) }
        if !isFolderFirst { context.delete(folder) }
        try context.save()
        #expect(try counts() == [1, 0, 0])
    }

    @Test func `objects that receive another object in the same save do not count`() throws {
        let (folder, other) = (try folder(1), try folder(2))
        let sheets = try context.fetch(Sheet.all)
        context.delete(folder)
        for sheet in sheets { sheet.folder = other }
        try context.save()
        #expect(try counts() == [1, 30, 0])
        #expect(other.sheets.count == 30)
    }

    @Test func `an object that another context has added counts`() throws {
        let folder = try folder(2)
        #expect(folder.sheets.isEmpty)
        let other = ObjectContext(store)
        let sheet = Sheet(in: other)
        (sheet.number, sheet.folder) = (31, try other.find(Folder.self, 2))
        try other.save()
        context.delete(folder)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.problems.map(\.object) == [sheet.managed.id].compactMap(\.self))
        #expect(try counts() == [2, 31, 0])
        // The changes remain, so that the save can be repeated.
        other.delete(sheet)
        try other.save()
        try context.save()
        #expect(try counts() == [1, 30, 0])
    }

    @Test(arguments: [false, true])
    func `a new object that requires a deleted one is refused`(isNew: Bool) throws {
        let folder = isNew ? Folder(in: context) : try folder(2)
        let sheet = Sheet(in: context)
        (sheet.number, sheet.folder) = (31, folder)
        context.delete(folder)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(
            error?.problems.map(\.object) == [sheet.managed.id].compactMap(\.self)
                && error?.problems[0].property == "folder")
        #expect(sheet.folder == nil)
        sheet.folder = try self.folder(1)
        try context.save()
        #expect(try counts() == [isNew ? 2 : 1, 31, 0])
    }

    @Test func `an import cannot remove objects from an object that they require`() async throws {
        let error = await failure {
            _ = try await store.importJSON(Data(#"{"number":1,"sheets":[{"number":7}]}"#.utf8), with: Folder.mapping)
        }
        #expect(error?.kind == .invalidObjects && error?.message.hasPrefix("29 objects") == true)
        #expect(try counts() == [2, 30, 0])
        _ = try await store.importJSON(Data(#"{"number":2,"sheets":[{"number":7}]}"#.utf8), with: Folder.mapping)
        #expect(try context.value("SELECT count(*) FROM Sheet WHERE folder = 2")?.integer == 1)
    }

    @Test func `a bulk update cannot remove a required object`() throws {
        let error = #expect(throws: StoreError.self) {
            try context.update(Sheet.all) { $0.set(\.folder, to: Folder?.none) }
        }
        #expect(error?.description.contains("an object is required for 'folder'") == true)
        #expect(try counts() == [2, 30, 0])
    }
}

/// The rule `.deny`.
@Suite struct DeniedDeletionTests {
    private let context: ObjectContext
    private let department: Department
    private let rooms: [Room]

    init() throws {
        context = ObjectContext(try Company.store())
        department = Department(in: context)
        (department.code, department.title) = ("S", "Sales")
        rooms = (0..<3).map { [context, department] door in
            let room = Room(in: context)
            (room.floor, room.door, room.department) = (1, door, department)
            return room
        }
        try context.save()
        context.refresh()
    }

    @Test func `objects that are deleted later do not deny a deletion`() throws {
        context.delete(department)
        #expect(throws: StoreError.self) { try context.save() }
        for room in rooms { context.delete(room) }
        try context.save()
        #expect(try context.value("SELECT count(*) FROM Department")?.integer == 0)
    }

    @Test func `objects that leave later do not deny a deletion`() throws {
        context.delete(department)
        rooms[0].department = nil
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.problems.map(\.property) == ["rooms"])
        rooms[1].department = nil
        context.delete(rooms[2])
        try context.save()
        #expect(try context.value("SELECT count(*) FROM Room WHERE department IS NULL")?.integer == 2)
    }

    @Test func `a new object is deleted in spite of the rule, and its targets do not refer to it`() throws {
        let new = Department(in: context)
        rooms[0].department = new
        context.delete(new)
        #expect(rooms[0].department == nil)
        try context.save()
        #expect(try context.value("SELECT count(*) FROM Room WHERE department IS NULL")?.integer == 1)
    }
}

/// Assignments to a list after one that was refused.
@Suite struct RefusedListTests {
    private let context: ObjectContext
    private let owner: Employee
    private let notes: [Note]

    init() throws {
        context = ObjectContext(try Company.store())
        owner = context.employee(1, "Ann")
        notes = (0..<4).map { [context] index in
            let note = Note(in: context)
            note.text = "\(index)"
            return note
        }
        owner.notes = [notes[0], notes[1]]
        try context.save()
    }

    private func stored() throws -> [String] {
        try context.store.rows(
            sql: #"SELECT "text" FROM "Employee_notes" JOIN "Note" ON "_id" = "target" ORDER BY "position""#
        ).map { $0["text"]?.text ?? "" }
    }

    @Test(arguments: [[3, 0], [0, 3], [0], [], [1, 0, 3]])
    func `a list that was refused because of a deleted object is repaired by assigning others`(_ indexes: [Int]) throws
    {
        context.delete(notes[2])
        owner.notes = [notes[3], notes[2], notes[0]]
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.problems.map(\.property) == ["notes"])
        owner.notes = indexes.map { notes[$0] }
        try context.save()
        #expect(owner.notes.map(\.text) == indexes.map(String.init))
        #expect(try stored() == indexes.map(String.init))
    }

    @Test func `a list that was refused is repaired by assigning the objects that were accepted`() throws {
        context.delete(notes[2])
        owner.notes.append(notes[2])
        #expect(throws: StoreError.self) { try context.save() }
        owner.notes = [notes[0], notes[1]]
        try context.save()
        #expect(try stored() == ["0", "1"])
    }

    @Test func `a list that was refused because of an object of another context is repaired`() throws {
        let other = ObjectContext(context.store)
        let foreign = Note(in: other)
        owner.notes = [foreign, notes[1]]
        #expect(throws: StoreError.self) { try context.save() }
        owner.notes = [notes[3], notes[1]]
        try context.save()
        #expect(try stored() == ["3", "1"])
    }
}
