import ObjectMapping
import Testing

@testable import ObjectStore

private final class Box: ManagedObject, CustomStringConvertible {

    @Stored(.identity) var number = 0
    @Stored(.indexed) var label: String?
    @Stored(.indexed) var size: Size?
    @Stored(.unique, .indexed) var place: Place?
    @Stored var sizes: [Size] = []

    enum Size: String, Codable { case small, large }
    struct Place: Codable, Equatable { var room = 0 }

    var description: String { "a box" }
}

private final class Crate: ManagedObject {
    @Stored(.identity) var number = 0
    @Stored var description = "secret"
    @Stored(.required, .indexed) var label: String?
}

/// What is printed for objects and queries: one line, without values.
@Suite struct `Printed objects and queries` {
    private let context: ObjectContext

    init() throws {
        context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Box.self, Crate.self)))
    }

    @Test func `an object is printed with its ID and its state`() throws {
        let crate = Crate(in: context)
        #expect("\(crate)".hasPrefix("Crate/new") && "\(crate)".hasSuffix(" (inserted)"))
        crate.label = "secret"
        try context.save()
        #expect("\(crate)" == "Crate/1 (unchanged)")
        #expect("\([crate])".contains("Crate/1 (unchanged)"))
        crate.label = "other secret"
        #expect("\(crate)" == "Crate/1 (updated)" && String(reflecting: crate) == "Crate/1 (updated)")
        #expect("\(Crate())" == "Crate/detached")
        // A class can have its own description.
        #expect("\(Box(in: context))" == "a box" && crate.description == "secret")
        context.rollback()
    }

    @Test func `a change is printed without its values`() throws {
        let crate = Crate(in: context)
        crate.label = "secret"
        try context.save()
        crate.label = "other secret"
        #expect(crate.managed.changes.map { "\($0)" } == ["'label' was changed"])
        #expect(!String(reflecting: crate.managed.changes).contains("secret"))
        #expect(crate.managed.changes[0].old == "secret" && crate.managed.changes[0].new == "other secret")
        context.rollback()
    }

    @Test func `a query is printed without its values`() {
        #expect("\(Crate.all)" == "Crate")
        let query = Crate.where { $0.label == "secret" && $0.number > 3 }.sorted(by: \.label, descending: true)
            .sorted(by: \.number).limit(5).offset(2)
        #expect("\(query)" == "Crate where 2 conditions are met, sorted by label descending, number, limit 5, offset 2")
        var dumped = ""
        dump(query, to: &dumped)
        #expect(!dumped.contains("secret"))
    }

    @Test func `optional attributes with options need no initial value`() throws {
        let box = Box(in: context)
        #expect(box.label == nil && box.size == nil && box.place == nil)
        (box.label, box.size, box.place, box.sizes) = ("a", .large, Box.Place(room: 2), [.small, .large])
        try context.save()
        context.refresh()
        #expect(box.label == "a" && box.size == .large && box.place?.room == 2 && box.sizes == [.small, .large])
        #expect(try context.fetch(Box.where { $0.label == "a" && $0.size == .large }) == [box])
        let indexes = try context.store.rows(
            sql:
                "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'Box' AND name LIKE '%index%' ORDER BY 1"
        )
        #expect(indexes.count == 3)
        _ = Crate(in: context)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.problems.map(\.property) == ["label"])
    }

    @Test func `a negative limit or offset is an error`() throws {
        for (query, name) in [(Crate.all.limit(-1), "limit"), (Crate.all.offset(-1), "offset")] {
            let text = "the \(name) of a query must be 0 or more, found -1"
            for call in [
                { _ = try context.fetch(query) }, { _ = try context.fetchFirst(query) },
                { _ = try context.count(query) },
                { _ = try context.delete(query) },
            ] as [() throws -> Void] {
                let error = #expect(throws: StoreError.self, performing: call)
                #expect(error?.kind == .misuse && error?.message == text)
            }
        }
        #expect(try context.fetch(Crate.all.limit(0)).isEmpty)
    }
}
