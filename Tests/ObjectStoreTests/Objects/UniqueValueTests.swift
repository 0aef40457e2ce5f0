import Foundation
import ObjectMapping
import Testing

@testable import ObjectStore

private final class ClubMember: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @Stored(.unique) var mail: String? = nil
    @Stored var lane = 0
    @Stored var seat = 0
    override class var indexes: [ObjectIndex] { [.unique("lane", "seat")] }

    static let mapping = Mapping(ClubMember.self) {
        Attribute("number", \.number)
        Attribute("mail", \.mail)
        Attribute("lane", \.lane)
        Attribute("seat", \.seat)
    }
}

/// An index of the same attribute that is declared twice, and names with the separators of index names.
private final class Dotted: ManagedObject {
    override class var entityName: String { "a" }
    @Stored(.indexed) var `b.c` = 0
    @Stored(.unique) var `D` = ""
    @Stored(.indexed) var name = 0
    override class var indexes: [ObjectIndex] { [.unique("name")] }
}

private final class DottedTable: ManagedObject {
    override class var entityName: String { "a.b" }
    @Stored(.unique) var c = 0
    @Stored(.unique) var `C.d` = 0
}

/// Values that two objects cannot both have, in every way to write them.
@Suite struct `Unique values` {
    private let store: ManagedObjectStore
    private let context: ObjectContext

    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(ClubMember.self))
        context = ObjectContext(store)
        for number in 1...2 {
            let member = ClubMember(in: context)
            (member.number, member.mail, member.lane, member.seat) = (number, "\(number)@example.com", 1, number)
        }
        try context.save()
    }

    private func expect(
        _ error: StoreError?, _ call: String, _ attributes: [String], _ values: [StoredValue],
        _ location: SourceLocation = #_sourceLocation
    ) {
        let names = attributes.map { "'\($0)'" }.joined(separator: ", ")
        let text = attributes.count == 1 ? "value" : "values"
        #expect(error?.kind == .constraint, sourceLocation: location)
        #expect(
            error?.message
                == "\(call): another object of 'ClubMember' has the same \(text) of \(names), which must be unique",
            sourceLocation: location)
        #expect(error?.violation?.entity == "ClubMember", sourceLocation: location)
        #expect(error?.violation?.attributes == attributes, sourceLocation: location)
        #expect(error?.violation?.values == values, sourceLocation: location)
        #expect(error?.description.contains("example.com") == false, sourceLocation: location)
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!dumped.contains("example.com"), sourceLocation: location)
    }

    @Test func `a save of a changed object names the attribute`() throws {
        let member = try #require(try context.find(ClubMember.self, 2))
        member.mail = "1@example.com"
        expect(
            #expect(throws: StoreError.self) { try context.save() }, "cannot save the object ClubMember/2", ["mail"],
            ["1@example.com"])
        context.rollback()
        member.seat = 1
        expect(
            #expect(throws: StoreError.self) { try context.save() }, "cannot save the object ClubMember/2",
            ["lane", "seat"],
            [1, 1])
    }

    @Test func `two objects exchange unique values in one save`() throws {
        let members = try context.fetch(ClubMember.all.sorted(by: \.number))
        (members[0].mail, members[1].mail) = (members[1].mail, members[0].mail)
        (members[0].seat, members[1].seat) = (2, 1)
        try context.save()
        let stored = try ObjectContext(store).fetch(ClubMember.all.sorted(by: \.number))
        #expect(stored.map(\.mail) == ["2@example.com", "1@example.com"] && stored.map(\.seat) == [2, 1])
        members[0].mail = members[1].mail
        members[1].seat = 5
        expect(
            #expect(throws: StoreError.self) { try context.save() }, "cannot save the object ClubMember/1", ["mail"],
            ["1@example.com"])
    }

    @Test func `exchanged values are marked as unsent with the earlier ones`() throws {
        store.keepUnsent()
        let members = try context.fetch(ClubMember.all.sorted(by: \.number))
        (members[0].mail, members[1].mail) = (members[1].mail, members[0].mail)
        try context.save()
        let marks = try store.rows(sql: "SELECT row, property, previous FROM _mappingkit_unsent ORDER BY row")
        #expect(marks.map(\.values) == [[1, "mail", "1@example.com"], [2, "mail", "2@example.com"]])
    }

    @Test func `an update of a query names the attribute`() throws {
        let error = #expect(throws: StoreError.self) {
            try context.update(ClubMember.all) { $0.set(\.mail, to: "x@example.com") }
        }
        expect(error, "cannot update objects, nothing was changed", ["mail"], ["x@example.com"])
        #expect(
            try context.values(of: \.mail, ClubMember.all).compactMap(\.self) == ["1@example.com", "2@example.com"])
        let identities = #expect(throws: StoreError.self) {
            try context.update(ClubMember.all) { $0.set(\.number, to: 7) }
        }
        expect(identities, "cannot update objects, nothing was changed", ["number"], [7])
    }

    @Test(arguments: [3, 2])
    func `an import names the attribute and the path of the element`(_ number: Int) async throws {
        let text = #"[{"number":5,"lane":5},{"number":\#(number),"lane":7,"mail":"1@example.com"}]"#
        let error = await #expect(throws: ImportError.self) {
            _ = try await store.importJSON(Data(text.utf8), with: ClubMember.mapping)
        }
        expect(
            error?.cause as? StoreError, "cannot import an object of 'ClubMember'", ["mail"], ["1@example.com"])
        #expect(error?.path == "$[1]" && error?.element == 1)
        #expect(error?.description.hasPrefix("1:24 $[1]: cannot import an object of 'ClubMember': another") == true)
        #expect(try await context.count(ClubMember.all) == 2)
    }

    @Test func `an import that skips invalid elements names the attribute in the issue`() async throws {
        let report = try await store.importJSON(
            Data(#"[{"number":5,"lane":1,"seat":2},{"number":6,"lane":6}]"#.utf8), with: ClubMember.mapping,
            skipsInvalidElements: true)
        #expect(report.skipped == 1 && report.inserted == 1 && report.issues.map(\.path) == ["$[0]"])
        #expect(report.issues[0].found.hasSuffix("has the same values of 'lane', 'seat', which must be unique"))
    }

    @Test func `rows exchange unique values in one batch of an import`() async throws {
        func load(_ payload: String, _ commit: ImportCommit = .once) async throws {
            _ = try await store.importJSON(Data(payload.utf8), with: ClubMember.mapping, commit: commit)
        }
        func rows() throws -> [String] {
            try store.rows(sql: "SELECT number, mail, seat FROM ClubMember ORDER BY 1").map { row in
                row.values.map { $0.text ?? $0.integer.map(String.init) ?? "-" }.joined(separator: " ")
            }
        }
        try await load(
            #"[{"number":1,"mail":"2@example.com","seat":2},{"number":2,"mail":"1@example.com","seat":1}]"#)
        #expect(try rows() == ["1 2@example.com 2", "2 1@example.com 1"])
        // A new row takes a value, and its former row is set to null.
        try await load(#"[{"number":3,"lane":3,"mail":"1@example.com"},{"number":2,"mail":null}]"#)
        #expect(try rows() == ["1 2@example.com 2", "2 - 1", "3 1@example.com 0"])
        // The former row keeps the other part of a compound value.
        try await load(#"[{"number":3,"lane":1,"seat":2},{"number":1,"seat":7}]"#)
        let seats = try store.rows(sql: "SELECT lane, seat FROM ClubMember ORDER BY number").map(\.values)
        #expect(seats == [[1, 7], [1, 1], [1, 2]])
        let before = try rows()
        for payload in [
            #"[{"number":9,"lane":9},{"number":2,"mail":"2@example.com"}]"#,
            #"[{"number":1,"mail":"2@example.com"},{"number":2,"mail":"2@example.com"},{"number":9,"lane":9}]"#,
        ] {
            let error = await #expect(throws: ImportError.self) { try await load(payload) }
            #expect((error?.cause as? StoreError)?.violation?.attributes == ["mail"])
            #expect(error?.path == "$[1]" && error?.element == 1)
            #expect(try rows() == before)
        }
    }

    @Test func `an import reports a row that lost its value to another one and states null`() async throws {
        let member = try #require(try await context.find(ClubMember.self, 1))
        #expect(member.mail == "1@example.com")
        let payload = #"[{"number":3,"lane":3,"mail":"1@example.com"},{"number":1,"mail":null}]"#
        let report = try await store.importJSON(Data(payload.utf8), with: ClubMember.mapping)
        #expect(report.inserted == 1 && report.updated == 1)
        try await context.merge()
        #expect(member.mail == nil)
    }

    @Test func `every declared index exists, whatever the names contain`() throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Dotted.self, DottedTable.self))
        let indexes = try store.rows(
            sql:
                "SELECT tbl_name, name, sql LIKE '%UNIQUE%' FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL "
                + "AND tbl_name NOT LIKE '\\_%' ESCAPE '\\' ORDER BY 1, 2")
        #expect(
            indexes.map { $0.values.map(\.description).joined(separator: " ") } == [
                "'a' '_mappingkit_index_a.D' 1", "'a' '_mappingkit_index_a.b%2Ec' 0",
                "'a' '_mappingkit_index_a.name' 1",
                "'a.b' '_mappingkit_index_a%2Eb.C%2Ed' 1", "'a.b' '_mappingkit_index_a%2Eb.c' 1",
            ])
        let context = ObjectContext(store)
        for number in 1...2 {
            let object = DottedTable(in: context)
            (object.c, object.`C.d`) = (1, number)
        }
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.violation?.description == "a.b.c")
    }
}
