import Foundation
import ObjectMapping
import Testing

@testable import ObjectStore

private final class Worker: ManagedObject, Mappable {
    @Stored(.identity) var code = ""
    @Stored(.unique) var badge: Int? = nil
    @ToMany(inverse: \Shift.worker) var shifts: [Shift]

    static let mapping = Mapping(Worker.self) {
        Attribute("code", \.code)
        Attribute("badge", \.badge)
    }
}

private final class Label: ManagedObject, Mappable {
    @Stored(.identity) var slug = ""
    @ToMany(inverse: \Shift.labels) var shifts: [Shift]

    static let mapping = Mapping(Label.self) { Attribute("slug", \.slug) }
}

private final class Shift: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @Stored var workerCode: String? = nil
    @Stored var slugs: [String] = []
    @ToOne var worker: Worker?
    @ToMany var labels: [Label]

    static let mapping = Mapping(Shift.self) {
        Attribute("id", \.number)
        Attribute("worker", \.workerCode)
        Attribute("labels", \.slugs)
        Connection(\.worker, by: \.workerCode)
        Connection(\.labels, by: \.slugs)
    }
}

/// Keys and identities that are assigned while relationships wait for targets.
@Suite struct `Assigned keys` {
    private let store: ManagedObjectStore

    /// Shift 1 waits for worker 9 and label "late"; worker 1 and label "lamp" exist.
    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Worker.self, Label.self, Shift.self))
        let context = ObjectContext(store)
        _ = try context.map(#"[{"code":"1"},{"code":"2"}]"#, with: Worker.mapping)
        _ = try context.map(#"{"slug":"lamp"}"#, with: Label.mapping)
        _ = try context.map(#"{"id":1,"worker":"9","labels":["late"]}"#, with: Shift.mapping)
        try context.save()
    }

    /// How the keys of a shift are changed.
    enum Writer: CaseIterable { case save, takeover, bulkUpdate }

    private func assign(
        _ writer: Writer, _ code: String?, _ slugs: [String]
    ) throws {
        let context = ObjectContext(store)
        if writer == .bulkUpdate {
            try context.update(Shift.where { $0.number == 1 }) {
                $0.set(\.workerCode, to: code)
                $0.set(\.slugs, to: slugs)
            }
            return
        }
        let shift = writer == .save ? try #require(try context.find(Shift.self, 1)) : Shift(in: context)
        if writer == .takeover { shift.number = 1 }
        (shift.workerCode, shift.slugs) = (code, slugs)
        try context.save()
    }

    /// Imports the targets for which the shift waited.
    private func arrive() async throws {
        _ = try await store.importJSON(Data(#"{"code":"9"}"#.utf8), with: Worker.mapping)
        _ = try await store.importJSON(Data(#"{"slug":"late"}"#.utf8), with: Label.mapping)
    }

    private func targets() throws -> (worker: String?, labels: [String]) {
        let context = ObjectContext(store)
        let shift = try #require(try context.find(Shift.self, 1))
        return (shift.worker?.code, shift.labels.map(\.slug))
    }

    @Test(arguments: Writer.allCases)
    func `connect a waiting relationship with existing targets, and no longer with the earlier ones`(
        _ writer: Writer
    ) async throws {
        try assign(writer, "1", ["lamp"])
        #expect(try targets() == ("1", ["lamp"]))
        try await arrive()
        #expect(try targets() == ("1", ["lamp"]))
        #expect(try store.rows(sql: "SELECT * FROM _mappingkit_pending").isEmpty)
    }

    @Test(arguments: Writer.allCases) func `of nil end the wait`(_ writer: Writer) async throws {
        try assign(writer, nil, [])
        try await arrive()
        #expect(try targets() == (nil, []))
    }

    @Test(arguments: Writer.allCases) func `wait for other targets`(_ writer: Writer) async throws {
        try assign(writer, "10", ["later"])
        try await arrive()
        #expect(try targets() == (nil, []))
        _ = try await store.importJSON(Data(#"{"code":"10"}"#.utf8), with: Worker.mapping)
        _ = try await store.importJSON(Data(#"{"slug":"later"}"#.utf8), with: Label.mapping)
        #expect(try targets() == ("10", ["later"]))
    }

    @Test(arguments: Writer.allCases)
    func `do not change a relationship that is assigned`(_ writer: Writer) async throws {
        let context = ObjectContext(store)
        let worker = try #require(try await context.find(Worker.self, "2"))
        if writer == .bulkUpdate {
            try await context.update(Shift.all) { $0.set(\.worker, to: worker) }
        } else {
            let shift = writer == .save ? try #require(try await context.find(Shift.self, 1)) : Shift(in: context)
            if writer == .takeover { shift.number = 1 }
            shift.worker = worker
            try await context.save()
        }
        try await arrive()
        #expect(try targets().worker == "2")
    }

    @Test(arguments: [false, true]) func `connect what waits for a renamed target`(_ isBulk: Bool) throws {
        let context = ObjectContext(store)
        let shift = try #require(try context.find(Shift.self, 1))
        let worker = try #require(try context.find(Worker.self, "2"))
        #expect(shift.worker == nil && worker.shifts.isEmpty)
        if isBulk {
            try context.update(Worker.where { $0.code == "2" }) { $0.set(\.code, to: "9") }
        } else {
            worker.code = "9"
            try context.save()
        }
        #expect(shift.worker === worker && worker.shifts.map(\.number) == [1])
        #expect(try targets().worker == "9")
    }
}
