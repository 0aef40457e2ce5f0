import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

private final class Lamp: ManagedObject {
    @Stored(.identity) var number = 0
    @Stored var color = ""
}

/// Tables and columns that another program removes while the store is open.
@Suite struct `Missing tables and columns` {
    @Test(arguments: [
        (#"ALTER TABLE "Lamp" DROP COLUMN "color""#, "Lamp.color"), (#"DROP TABLE "Lamp""#, "Lamp"),
    ])
    func `are named by an error of kind corrupt`(change: String, name: String) throws {
        let folder = try TemporaryDirectory()
        let url = folder.file("lamps.sqlite")
        let store = try ManagedObjectStore(at: url, model: ObjectModel(Lamp.self))
        let database = try SQLiteDatabase(path: url.path, mode: .readWrite)
        try database.execute(change)
        let context = ObjectContext(store)
        let read = #expect(throws: StoreError.self) { try context.fetch(Lamp.all) }
        Lamp(in: context).number = 1
        let write = #expect(throws: StoreError.self) { try context.save() }
        for error in [read, write] {
            #expect(error?.kind == .corrupt)
            #expect(error?.message.hasPrefix("'\(url.path)' lacks '\(name)' of its model") == true)
        }
    }

    @Test func `are an error of kind misuse in a statement of the program`() throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Lamp.self))
        let error = #expect(throws: StoreError.self) { try store.rows(sql: "SELECT colour FROM Lamp") }
        #expect(error?.kind == .misuse)
    }
}
