import Foundation
import ObjectMapping
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// A class with rules that need an object.
private final class Booking: ManagedObject, Mappable {
    static let creations = Atomic(0)
    static let calls = Atomic(0)

    @Stored(.identity) var bookingID = 0
    @Stored var first = 0
    @Stored var last = 100
    @Stored var hostID: Int? = nil
    @Stored var updatedAt: Date? = nil
    @Stored(.transient) var isUrgent = false
    @ToOne var host: Person?

    required init() {
        super.init()
        Self.creations.add(1, ordering: .relaxed)
    }

    override func awakeFromInsert() { Self.calls.add(1, ordering: .relaxed) }
    override func awakeFromFetch() { Self.calls.add(1, ordering: .relaxed) }
    override func willSave() { Self.calls.add(1, ordering: .relaxed) }

    static let mapping = Mapping(Booking.self) {
        Attribute("id", \.bookingID)
        Attribute("first", \.first)
        Attribute("last", \.last)
        Attribute("host", \.hostID)
        Attribute("updated_at", \.updatedAt)
        Attribute("urgent", \.isUrgent)
        Connection(\.host, by: \.hostID).when { $0.last < 50 || $0.isUrgent }
    }
    .modified(by: \.updatedAt)
    .validated { if $0.first > $0.last { throw ValidationFailure("must end after it begins") } }
}

private final class Visit: ManagedObject, Mappable {
    @Stored(.identity) var visitID = 0
    @ToMany(isOrdered: true) var bookings: [Booking]

    static let mapping = Mapping(Visit.self) {
        Attribute("id", \.visitID)
        Relationship("bookings", \.bookings)
    }
}

/// A class without identity.
private final class Remark: ManagedObject, Mappable {
    @Stored var text = ""
    @Stored var personID: Int? = nil
    @ToOne var person: Person?
    @ToOne var topic: Topic?

    static let mapping = Mapping(Remark.self) {
        Attribute("text", \.text)
        Attribute("person", \.personID)
        Connection(\.person, by: \.personID)
    }
}

private final class Topic: ManagedObject, Mappable {
    @Stored(.identity) var topicID = 0
    @ToMany(inverse: \Remark.topic) var remarks: [Remark]
    @ToMany var links: [Remark]

    static let mapping = Mapping(Topic.self) {
        Attribute("id", \.topicID)
        Relationship("remarks", \.remarks)
        Relationship("links", \.links).policy(.replace)
    }
}

/// Rules that need an object, and classes without identity.
@Suite(.serialized) struct ImportRuleTests {
    private let store = Self.store()

    private static func store() -> Result<ManagedObjectStore, any Error> {
        Result {
            try ManagedObjectStore(
                inMemory: ObjectModel(
                    Booking.self, Visit.self, Remark.self, Topic.self, Person.self, Ticket.self, Board.self))
        }
    }

    @discardableResult private func load<Model: ManagedObject>(
        _ text: String, _ mapping: Mapping<Model>, skipping: Bool = false
    ) async throws -> ImportReport {
        try await store.get().importJSON(Data(text.utf8), with: mapping, skipsInvalidElements: skipping)
    }

    private func rows(_ sql: String, in other: ManagedObjectStore? = nil) throws -> [String] {
        try (other ?? store.get()).rows(sql: sql).map {
            $0.values.map { $0.text ?? $0.description }.joined(separator: "|")
        }
    }

    // MARK: Rules that need an object

    @Test func `rules that need an object share one without hooks, and are in the report`() async throws {
        // Examines the class.
        var report = try await load(#"[{"id":1,"host":7}]"#, Booking.mapping)
        #expect(report.objectRules == ["Booking.validated", "Booking.host.when"])
        let creations = Booking.creations.load(ordering: .relaxed)
        let text = (1...50).map { #"{"id":\#($0),"bookings":[{"id":\#(2 * $0)},{"id":\#(2 * $0 + 1)}]}"# }
        report = try await load("[\(text.joined(separator: ","))]", Visit.mapping)
        #expect(report["Booking"]?.inserted == 100 && report.objectRules.count == 2)
        #expect(Booking.creations.load(ordering: .relaxed) == creations + 1)
        #expect(Booking.calls.load(ordering: .relaxed) == 0)
        #expect(try await load(#"[{"id":7}]"#, Person.mapping).objectRules == [])
    }

    private static let invalid = #"[{"id":1,"first":1,"last":9},{"id":2,"first":5,"last":4},{"id":3,"first":101}]"#

    @Test func `an object that a validation rejects is an issue with its position`() async throws {
        let error = await #expect(throws: ImportError.self) { try await load(Self.invalid, Booking.mapping) }
        #expect(error?.line == 1 && error?.column == 30 && error?.committed.elements == 0)
        let text =
            "1:30 $[1]: expected an object that passes validation, found an invalid one: must end after it begins"
        #expect((error?.cause as? MappingError)?.issues.map(\.description) == [text])
        let report = try await load(Self.invalid, Booking.mapping, skipping: true)
        #expect(report.elements == 1 && report.skipped == 2)
        #expect(report.issues.first?.description == text && report.issues.last?.column == 58)
        #expect(try rows("SELECT bookingID FROM Booking") == ["1"])
    }

    @Test func `a nested object that a validation rejects has its own position, and its owner is skipped`() async throws
    {
        let report = try await load(
            #"[{"id":1,"bookings":[{"id":1},{"id":2,"last":-1}]},{"id":2}]"#, Visit.mapping, skipping: true)
        #expect(report.issues.map(\.column) == [31] && report.elements == 1)
        #expect(try rows("SELECT (SELECT count(*) FROM Booking), visitID FROM Visit") == ["0|2"])
    }

    @Test func `a validation sees the values of the store, and is skipped for a payload that is not newer`()
        async throws
    {
        try await load(#"[{"id":1,"first":20,"last":30,"updated_at":"2026-01-02T00:00:00Z"}]"#, Booking.mapping)
        let error = await #expect(throws: ImportError.self) {
            try await load(#"[{"id":1,"last":19}]"#, Booking.mapping)
        }
        #expect(error?.cause is MappingError)
        let report = try await load(
            #"[{"id":1,"last":19,"updated_at":"2026-01-01T00:00:00Z"}]"#, Booking.mapping)
        #expect(report["Booking"]?.unchanged == 1)
        try await load(#"[{"id":1,"last":25}]"#, Booking.mapping)
        #expect(try rows("SELECT first, last FROM Booking") == ["20|25"])
    }

    @Test func `rows are equal to those of saved objects`() async throws {
        let other = try Self.store().get()
        let payloads = [
            #"[{"id":1,"host":7},{"id":2,"host":7,"last":20},{"id":3,"host":7,"urgent":true}]"#,
            #"[{"id":4,"host":8,"last":1}]"#,
            #"[{"id":1,"last":10},{"id":2,"last":60},{"id":3,"urgent":false}]"#,
        ]
        let context = ObjectContext(other)
        _ = try await context.map(#"[{"id":7},{"id":9}]"#, with: Person.mapping)
        try await context.save()
        try await load(#"[{"id":7},{"id":9}]"#, Person.mapping)
        for payload in payloads {
            _ = try await context.map(payload, with: Booking.mapping)
            try await context.save()
            try await load(payload, Booking.mapping)
            for sql in ["SELECT * FROM Booking ORDER BY 1", "SELECT * FROM _mappingkit_pending"] {
                #expect(try rows(sql) == rows(sql, in: other))
            }
        }
        #expect(try rows("SELECT bookingID, host FROM Booking ORDER BY 1") == ["1|1", "2|NULL", "3|NULL", "4|NULL"])
    }

    // MARK: Classes without identity

    @Test func `each object of a class without identity is a new row`() async throws {
        let text = #"[{"text":"a","person":7},{"text":"a"}]"#
        var report = try await load(text, Remark.mapping)
        #expect(report["Remark"]?.inserted == 2 && report["Remark"]?.waiting == 1)
        report = try await load(text, Remark.mapping)
        #expect(report["Remark"]?.inserted == 2)
        report = try await load(#"[{"id":7}]"#, Person.mapping)
        #expect(report["Remark"]?.connected == 2)
        #expect(
            try rows("SELECT _id, text, person FROM Remark") == ["1|a|1", "2|a|NULL", "3|a|1", "4|a|NULL"])
    }

    @Test func `nested objects without identity follow the policy of their relationship`() async throws {
        let text = #"[{"id":1,"remarks":[{"text":"a"}],"links":[{"text":"b"}]}]"#
        try await load(text, Topic.mapping)
        let report = try await load(text, Topic.mapping)
        #expect(report["Remark"]?.inserted == 2 && report["Remark"]?.deleted == 1)
        #expect(try rows("SELECT _id, text, topic FROM Remark") == ["1|a|NULL", "3|a|1", "4|b|NULL"])
        #expect(try rows("SELECT target FROM Topic_links") == ["4"])
    }
}
