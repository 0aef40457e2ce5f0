import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Versions of one class.
private enum Versions {
    final class Plain: ManagedObject {
        override class var entityName: String { "Plant" }
        @Stored(.identity) var number = 0
        @Stored var name: String? = nil
    }

    final class Indexed: ManagedObject {
        override class var entityName: String { "Plant" }
        @Stored(.identity) var number = 0
        @Stored(.indexed) var name: String? = nil
    }

    final class Unique: ManagedObject {
        override class var entityName: String { "Plant" }
        @Stored(.identity) var number = 0
        @Stored(.unique) var name: String? = nil
    }
}

/// Attributes that are declared unique after rows were saved.
@Suite struct `Unique declarations` {
    private let folder: TemporaryDirectory
    private let url: URL

    init() throws {
        folder = try TemporaryDirectory()
        url = folder.file("plants.sqlite")
    }

    private func open(
        _ type: ManagedObject.Type, at url: URL? = nil, seed: URL? = nil, recreate: Bool = false
    ) async throws -> ManagedObjectStore {
        var options = ManagedObjectStore.Options()
        if recreate { options.onModelMismatch = .recreate }
        return try await ManagedObjectStore.open(
            at: url ?? self.url, model: ObjectModel(type), seed: seed, options: options)
    }

    private func fill(_ names: [String?], _ type: ManagedObject.Type = Versions.Plain.self) async throws {
        let store = try await open(type)
        for (index, name) in names.enumerated() {
            try store.write(
                sql: #"INSERT INTO "Plant"("number", "name") VALUES (?, ?)"#,
                arguments: [.integer(Int64(index)), name.map { .text($0) } ?? .null])
        }
        try store.checkpoint()
        store.close()
    }

    private static let duplicates = ["a", "b", "a", "c", "c", "c", nil, nil]

    @Test(arguments: [false, true]) func `are refused if rows have equal values`(_ isSeed: Bool) async throws {
        try await fill(Self.duplicates)
        let before = try Data(contentsOf: url)
        let error = await #expect(throws: StoreError.self) {
            _ = try await open(
                Versions.Unique.self, at: isSeed ? folder.file("copy.sqlite") : url, seed: isSeed ? url : nil)
        }
        #expect(error?.kind == .modelMismatch && error?.entity == "Plant")
        #expect(
            error?.message
                == "5 rows of 'Plant' in '\(url.path)' have the same value of 'name' as another row, which the classes "
                + "declare unique")
        #expect(try Data(contentsOf: url) == before)
    }

    @Test func `replace the file if the options say so`() async throws {
        try await fill(Self.duplicates)
        let store = try await open(Versions.Unique.self, recreate: true)
        #expect(try store.count(of: "Plant") == 0)
    }

    @Test(arguments: [Versions.Plain.self, Versions.Indexed.self] as [ManagedObject.Type])
    func `can be added and removed`(_ type: ManagedObject.Type) async throws {
        try await fill(["a"], type)
        let insertion = #"INSERT INTO "Plant"("number", "name") VALUES (7, 'a')"#
        let unique = try await open(Versions.Unique.self)
        #expect(throws: StoreError.self) { try unique.write(sql: insertion) }
        unique.close()
        let plain = try await open(type)
        #expect(try plain.write(sql: insertion) == 1)
    }
}
