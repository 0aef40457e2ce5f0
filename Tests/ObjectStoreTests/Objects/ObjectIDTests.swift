import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

private final class Shelf2: ManagedObject {
    @Stored var label = ""
    override class var entityName: String { "Shelf/2 of all" }
}

@Suite struct `IDs of objects` {
    let folder: TemporaryDirectory
    var url: URL { folder.url.appending(path: "ids.sqlite") }

    init() throws { folder = try TemporaryDirectory() }

    private func open(_ options: ManagedObjectStore.Options = .init()) throws -> ManagedObjectStore {
        try ManagedObjectStore(at: url, model: ObjectModel(Shelf2.self), options: options)
    }

    private func savedShelf(_ context: ObjectContext) throws -> Shelf2 {
        let shelf = Shelf2(in: context)
        shelf.label = "a"
        try context.save()
        return shelf
    }

    /// The ID of the first object as text.
    private func text(_ store: ManagedObjectStore) throws -> String {
        try ObjectContext(store).fetch(Shelf2.all)[0].managed.id.text
    }

    @Test func `an ID as text is read by another run, which opens the file again`() throws {
        var store: ManagedObjectStore? = try open()
        let text = try savedShelf(ObjectContext(try #require(store))).managed.id.text
        store?.close()
        store = nil
        let id = try #require(ObjectID(text))
        #expect(try id.text == text && id.description == "Shelf/2 of all/1")
        let shelf: Shelf2 = try ObjectContext(try open()).object(with: id)
        #expect(shelf.label == "a" && shelf.managed.id == id)
    }

    @Test func `two stores of one file have equal IDs, also if one of them only reads`() throws {
        let (a, b) = (try open(), try open())
        var options = ManagedObjectStore.Options()
        options.isReadOnly = true
        let c = try open(options)
        let id = try savedShelf(ObjectContext(a)).managed.id
        for store in [b, c] {
            let context = ObjectContext(store)
            let same: Shelf2 = try context.object(with: id)
            #expect(same.managed.id == id && Set([id, same.managed.id]).count == 1)
        }
    }

    @Test func `new objects of two stores of one file have different temporary IDs`() throws {
        let (a, b) = (ObjectContext(try open()), ObjectContext(try open()))
        let (first, second) = (Shelf2(in: a), Shelf2(in: b))
        let (firstID, secondID) = (first.managed.id, second.managed.id)
        #expect(firstID != secondID)
        (first.label, second.label) = ("first", "second")
        try a.save()
        try b.save()
        #expect(try b.object(with: firstID, as: Shelf2.self).label == "first")
        #expect(try a.object(with: secondID, as: Shelf2.self).label == "second")
    }

    @Test func `IDs are encoded and decoded`() throws {
        struct Bookmark: Codable, Equatable {
            var shelf: ObjectID
            var others: [ObjectID]
        }
        let id = try savedShelf(ObjectContext(try open())).managed.id
        let bookmark = Bookmark(shelf: id, others: [id])
        let data = try JSONEncoder().encode(bookmark)
        #expect(try JSONDecoder().decode(Bookmark.self, from: data) == bookmark)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Bookmark.self, from: Data(#"{"shelf":"x/1","others":[]}"#.utf8))
        }
    }

    @Test(arguments: [
        "", "/", "//", "a/b", "a//1", "/b/1", "a/b/", "a/b/x", "a/b/0", "a/b/-1", "a/b/99999999999999999999",
    ])
    func `other texts are not IDs`(_ text: String) { #expect(ObjectID(text) == nil) }

    @Test func `a temporary ID has no text until the object is saved`() throws {
        let context = ObjectContext(try open())
        let shelf = Shelf2(in: context)
        let id = shelf.managed.id
        let error = #expect(throws: StoreError.self) { try id.text }
        #expect(
            error?.message
                == "the ID \(id) cannot be read by another run: it is temporary")
        #expect(throws: StoreError.self) { try JSONEncoder().encode([id]) }
        try context.save()
        #expect(try id.text == shelf.managed.id.text)
    }

    @Test func `an object without a context has an ID that finds nothing`() throws {
        let context = ObjectContext(try open())
        let id = Shelf2().managed.id
        #expect(!id.isTemporary && id.description == "Shelf/2 of all/detached")
        #expect(throws: StoreError.self) { try id.text }
        let error = #expect(throws: StoreError.self) { try context.object(with: id) }
        #expect(error?.kind == .missingObject)
    }

    @Test func `IDs of a store in memory cannot leave the program`() throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Shelf2.self))
        let id = try savedShelf(ObjectContext(store)).managed.id
        let error = #expect(throws: StoreError.self) { try id.text }
        #expect(error?.message == "the ID Shelf/2 of all/1 cannot be read by another run: the store is in memory")
        #expect(throws: StoreError.self) {
            try ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Shelf2.self))).object(with: id)
        }
    }

    @Test func `a copy of a seed has its own identifier, and a file keeps it when it is moved`() async throws {
        _ = try savedShelf(ObjectContext(try open()))
        let seed = folder.url.appending(path: "seed.sqlite")
        do {
            let store = try open()
            try store.write { (connection) throws(StoreError) in
                try connection.run(#"DELETE FROM "_mappingkit" WHERE "key" = 'identifier'"#)
            }
            try store.checkpoint()
            store.close()
        }
        try FileManager.default.copyItem(at: url, to: seed)
        let bytes = try Data(contentsOf: seed)
        func copy(_ name: String) async throws -> String {
            let url = folder.url.appending(path: name)
            let store = try await ManagedObjectStore.open(at: url, model: ObjectModel(Shelf2.self), seed: seed)
            return try text(store)
        }
        let texts = [try await copy("a.sqlite"), try await copy("b.sqlite"), try await copy("a.sqlite")]
        #expect(texts[0] == texts[2] && texts[0] != texts[1])
        #expect(try Data(contentsOf: seed) == bytes)
        let moved = folder.url.appending(path: "moved.sqlite")
        try FileManager.default.moveItem(at: folder.url.appending(path: "b.sqlite"), to: moved)
        #expect(try await copy("moved.sqlite") == texts[1])
    }

    @Test func `a file without an identifier that is only read is identified by its path`() throws {
        _ = try savedShelf(ObjectContext(try open()))
        do {
            let store = try open()
            try store.write { (connection) throws(StoreError) in
                try connection.run(#"DELETE FROM "_mappingkit" WHERE "key" = 'identifier'"#)
            }
            store.close()
        }
        var options = ManagedObjectStore.Options()
        options.isReadOnly = true
        let ids = try [open(options), open(options)].map { try ObjectContext($0).fetch(Shelf2.all)[0].managed.id }
        #expect(ids[0] == ids[1])
        #expect(try ids[0].text.hasPrefix("path-"))
    }

    @Test func `IDs of another file are refused`() throws {
        let id = try savedShelf(ObjectContext(try open())).managed.id
        let other = try ManagedObjectStore(
            at: folder.url.appending(path: "other.sqlite"), model: ObjectModel(Shelf2.self))
        let error = #expect(throws: StoreError.self) { try ObjectContext(other).object(with: id) }
        #expect(error?.kind == .misuse && error?.message == "the object Shelf/2 of all/1 belongs to another store")
    }
}
