import Foundation
import ObjectMapping
import ObjectStore
import Testing

private final class Depot: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @Stored var revision: Int? = nil
    @Stored var labels: [String] = []
    @ToMany(inverse: \Crate.owner) var items: [Crate]
    @ToMany var friends: [Depot]

    static let mapping = Mapping(Depot.self) {
        Attribute("id", \.number)
        Attribute("rev", \.revision)
        Relationship("items", \.items, Crate.plain)
    }
    .modified(by: \.revision)

    static let merging = Mapping(Depot.self) {
        Attribute("id", \.number)
        Attribute("labels", \.labels).policy(.union)
    }
    /// The objects of a list by their keys.
    static let keyed = Mapping(Depot.self) {
        Attribute("id", \.number)
        Relationship("items", \.items, Crate.byKey, each: .member)
    }
    static let alone = Mapping(Depot.self) {
        Attribute("id", \.number); Attribute("rev", \.revision)
    }
    static let listing = Mapping(Depot.self) {
        Attribute("id", \.number)
        Relationship("items", \.items, Crate.alone)
    }
    static let befriended = Mapping(Depot.self) {
        Attribute("id", \.number)
        Relationship("friends", \.friends, Depot.alone).policy(.replace)
    }
    static let replacing = Mapping(Depot.self) {
        Attribute("id", \.number)
        Relationship("items", \.items, Crate.alone).policy(.replace)
    }
}

private final class Crate: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @Stored var name: String? = nil
    @Stored var revision: Int? = nil
    @ToOne var owner: Depot?
    @ToOne var sample: Specimen?

    static let alone = Mapping(Crate.self) {
        Attribute("id", \.number); Attribute("name", \.name)
    }
    static let byKey = Mapping(Crate.self) {
        Attribute(.key, \.number); Attribute("name", \.name)
    }
    static let plain = Mapping(Crate.self) {
        Attribute("id", \.number)
        Attribute("name", \.name)
        Attribute("rev", \.revision)
        Relationship("sample", \.sample)
    }
    .modified(by: \.revision)
    static let mapping = Mapping(Crate.self) {
        Attribute("id", \.number)
        Attribute("name", \.name)
        Relationship("owner", \.owner, Depot.listing)
    }
}

private final class Specimen: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @Stored var name: String? = nil
    static let mapping = Mapping(Specimen.self) {
        Attribute("id", \.number); Attribute("name", \.name)
    }
}

@Suite("Agreement of imports and objects")
struct RowAgreementTests {
    private static func content(_ store: ManagedObjectStore) throws -> [String] {
        let queries = [
            #"SELECT "number", "revision", "labels" FROM "Depot" ORDER BY 1"#,
            #"SELECT i."number", i."name", i."revision", o."number", s."number" FROM "Crate" i "#
                + #"LEFT JOIN "Depot" o ON o."_id" = i."owner" LEFT JOIN "Specimen" s ON s."_id" = i."sample" ORDER BY 1"#,
            #"SELECT "number", "name" FROM "Specimen" ORDER BY 1"#,
        ]
        return try queries.flatMap { (query: String) -> [String] in
            try store.rows(sql: query).map { "\($0.values.map(\.description))" }
        }
    }

    /// Imports payloads, and maps them to objects; returns both contents.
    private func contents<Model: ManagedObject>(
        of payloads: [String], _ mapping: Mapping<Model>
    ) async throws -> (rows: [String], objects: [String]) {
        let model = try ObjectModel(Depot.self, Crate.self, Specimen.self)
        let (rows, objects) = (try ManagedObjectStore(inMemory: model), try ManagedObjectStore(inMemory: model))
        for payload in payloads {
            _ = try await rows.importJSON(Data(payload.utf8), with: mapping)
            try await objects.perform { context in
                _ = try context.map(payload, with: mapping)
                try context.save()
            }
        }
        return (try Self.content(rows), try Self.content(objects))
    }

    @Test(arguments: [
        [
            #"[{"id": 1, "rev": 2, "items": [{"id": 1, "name": "a", "rev": 2, "sample": {"id": 1, "name": "s"}}]}]"#,
            #"[{"id": 1, "rev": 1, "items": [{"id": 1, "name": "b", "rev": 3}, {"id": 2, "sample": {"id": 2}}]}]"#,
        ],
        [
            #"[{"id": 1, "rev": 2, "items": [{"id": 1, "name": "a", "rev": 2, "sample": {"id": 1, "name": "s"}}]}]"#,
            #"[{"id": 1, "rev": 3, "items": [{"id": 1, "name": "b", "rev": 1, "sample": {"id": 1, "name": "t"}}]}]"#,
        ],
        [
            #"[{"id": 1, "rev": 2, "items": [{"id": 1, "name": "a", "rev": 2}]}]"#,
            #"[{"id": 2, "rev": 3, "items": [{"id": 1, "name": "b", "rev": 1, "sample": {"id": 3}}, {"id": 4, "sample": {"id": 3}}]}]"#,
        ],
    ])
    func `Elements that are outdated do not write their nested objects`(payloads: [String]) async throws {
        let (rows, objects) = try await contents(of: payloads, Depot.mapping)
        #expect(rows == objects)
    }

    @Test func `A list of values with the policy union is an error of an import`() async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Depot.self, Crate.self, Specimen.self))
        let error = await #expect(throws: ImportError.self) {
            try await store.importJSON(Data(#"[{"id": 1, "labels": ["a"]}]"#.utf8), with: Depot.merging)
        }
        #expect(error.map { "\($0)" }?.contains("'union'") == true)
    }

    @Test(arguments: [#"{}"#, "null", #"{"3": {"name": "c"}}"#])
    func `The members of an object replace a list, also if there are none`(_ members: String) async throws {
        let payloads = [
            #"{"id": 1, "items": {"1": {"name": "a"}, "2": {"name": "b"}}}"#, #"{"id": 1, "items": \#(members)}"#,
        ]
        let (rows, objects) = try await contents(of: payloads, Depot.keyed)
        #expect(rows == objects)
    }

    @Test(arguments: [
        [#"[{"id": 1, "name": "a", "owner": {"id": 1, "items": [{"id": 2}]}}]"#],
        [#"[{"id": 1, "name": "a", "owner": {"id": 1, "items": []}}]"#],
        [#"[{"id": 1, "name": "a", "owner": {"id": 1, "items": [{"id": 1}, {"id": 2}]}}]"#],
        [
            #"[{"id": 1, "owner": {"id": 1}}, {"id": 2, "owner": {"id": 1}}]"#,
            #"[{"id": 1, "owner": {"id": 1, "items": [{"id": 2}]}}]"#,
        ],
        [
            #"[{"id": 1, "owner": {"id": 1}}, {"id": 2, "owner": {"id": 1}}]"#,
            #"[{"id": 1, "owner": {"id": 2, "items": [{"id": 2}]}}]"#,
        ],
    ])
    func `A nested owner keeps the element that it does not list`(payloads: [String]) async throws {
        let (rows, objects) = try await contents(of: payloads, Crate.mapping)
        #expect(rows == objects)
    }

    @Test(arguments: [
        (#"[{"id": 1, "items": []}, {"id": 2, "items": [{"id": 1}]}]"#, [1]),
        (#"[{"id": 2, "items": [{"id": 1}]}, {"id": 1, "items": []}]"#, [1]),
        (#"[{"id": 1, "items": [{"id": 2}]}]"#, [2]),
        (#"[{"id": 1, "items": [{"id": 2}]}, {"id": 1, "items": [{"id": 3}]}]"#, [2, 3]),
    ])
    func `An object that is replaced remains if the payload has it elsewhere`(_ payload: String, _ kept: [Int])
        async throws
    {
        let payloads = [#"[{"id": 1, "items": [{"id": 1}, {"id": 2}]}]"#, payload]
        let (rows, objects) = try await contents(of: payloads, Depot.replacing)
        #expect(rows == objects && rows.count == (payload.contains(#""id": 2, "items""#) ? 2 : 1) + kept.count)
    }

    @Test(arguments: [
        #"[{"id": 1, "friends": []}, {"id": 2}, {"id": 3}]"#, #"[{"id": 2}, {"id": 3}, {"id": 1, "friends": []}]"#,
    ])
    func `Replaced objects that are elements remain`(_ payload: String) async throws {
        let payloads = [#"[{"id": 1, "friends": [{"id": 2}, {"id": 3}]}]"#, payload]
        let (rows, objects) = try await contents(of: payloads, Depot.befriended)
        #expect(rows == objects && rows.count == 3)
    }
}
