import ObjectMapping
import Synchronization
import Testing

@Suite struct PlaceholderTests {
    /// An object under a dynamic key.
    struct User: Mappable, Hashable {
        var name = "-"
        var id = 0
        var page: Int?
        static let mapping = Mapping(User.init) {
            Attribute(.key, \.name)
            Attribute("{name}.id", \.id)
            Attribute("page", \.page)
        }
    }

    /// An object under two dynamic keys.
    struct Month: Mappable, Hashable {
        var year = 0
        var month = 0
        var total = 0
        var note: String?
        var currency: String?
        static let mapping = Mapping(Month.init) {
            Attribute(.key("month"), \.month)
            Attribute(.key("year"), \.year)
            Attribute("{year}.{month}.sum.total", \.total)
            Attribute("{year}.note", \.note)
            Attribute("currency", \.currency)
        }
    }

    struct Report: Mappable {
        var months: [Month] = []
        var maybe: [Month]?
        var set: Set<Month> = []
        var one = User()
        var optional: User?
        static let mapping = Mapping(Report.init) {
            Relationship("months", \.months)
            Relationship("maybe", \.maybe)
            Relationship("set", \.set)
            Relationship("one", \.one)
            Relationship("optional", \.optional)
        }
    }

    @Test(arguments: [
        ("{}", [User]()),
        (#"{"ada": {"id": 1}}"#, [User(name: "ada", id: 1)]),
        (#"{"ada": {"id": 1}, "bob": {"id": 2}}"#, [User(name: "ada", id: 1), User(name: "bob", id: 2)]),
        (#"[{"ada": {"id": 1}}, {"bob": {"id": 2}}]"#, [User(name: "ada", id: 1), User(name: "bob", id: 2)]),
        (#"[{"ada": {"id": 1}, "bob": {"id": 2}}, {}]"#, [User(name: "ada", id: 1), User(name: "bob", id: 2)]),
        (#"{"ada": null, "page": 7, "bob": {"id": 2}}"#, [User(name: "bob", id: 2, page: 7)]),
        (#"{"a.b": {"id": 1}, "\u0062": {"id": 2}}"#, [User(name: "a.b", id: 1), User(name: "b", id: 2)]),
        (#"{"{name}": {"id": 1}}"#, [User(name: "{name}", id: 1)]),
        (#"{"ada": {}}"#, [User(name: "ada")]),
        ("null", []),
    ])
    func `Each member of a dictionary is a model`(payload: String, expected: [User]) throws {
        #expect(try User.mapping.mapAll(payload) == expected)
        #expect(try User.mapping.mapAll(#"{"data": \#(payload)}"#, at: "data") == expected)
    }

    @Test func `Nested dictionaries contain models`() throws {
        let payload = #"{"a": {"ada": {"id": 1}, "bob": {"id": 2}}, "b": {"eve": {"id": 3}}}"#
        #expect(try User.mapping.mapAll(payload, each: .member).map(\.name) == ["ada", "bob", "eve"])
    }

    @Test func `Rules with fewer placeholders read from their level`() throws {
        let payload = #"""
            {"2026": {"11": {"sum": {"total": 4}}, "note": "dry", "12": {"sum": {"total": 5}}}, "currency": "EUR",
             "2027": {"1": {"sum": {"total": 6}}}}
            """#
        #expect(
            try Month.mapping.mapAll(payload) == [
                Month(year: 2026, month: 11, total: 4, note: "dry", currency: "EUR"),
                Month(year: 2026, month: 12, total: 5, note: "dry", currency: "EUR"),
                Month(year: 2027, month: 1, total: 6, currency: "EUR"),
            ])
    }

    @Test func `One object under its keys is one model`() throws {
        #expect(try User.mapping.map(#"{"ada": {"id": 1}}"#) == User(name: "ada", id: 1))
        #expect(try User.mapping.map(#"[{"ada": {"id": 1}}]"#) == User(name: "ada", id: 1))
        #expect(try Month.mapping.map(#"{"9": {"note": null, "8": {"note": 1}}}"#) == Month(year: 9, month: 8))
        var user = User(name: "eve", id: 3, page: 4)
        try User.mapping.update(&user, from: #"{"ada": {}}"#)
        #expect(user == User(name: "ada", id: 3, page: 4))
    }

    @Test func `Relationships of all kinds read dynamic keys`() throws {
        let months = #"{"1": {"2": {"sum": {"total": 3}}, "4": {}}, "5": {"6": {}}}"#
        let expected = [Month(year: 1, month: 2, total: 3), Month(year: 1, month: 4), Month(year: 5, month: 6)]
        let report = try Report.mapping.map(
            #"""
            {"months": [\#(months), null], "maybe": \#(months), "set": \#(months),
             "one": {"ada": {"id": 1}}, "optional": {"bob": {"id": 2}}}
            """#)
        #expect(report.months == expected)
        #expect(report.maybe == expected)
        #expect(report.set == Set(expected))
        #expect(report.one == User(name: "ada", id: 1))
        #expect(report.optional == User(name: "bob", id: 2))
    }

    @Test func `Null clears a relationship under dynamic keys`() throws {
        let report = Report(
            months: [Month()], maybe: [Month()], set: [Month()], one: User(id: 1), optional: User(id: 1))
        var cleared = report
        try Report.mapping.update(
            &cleared, from: #"{"months": null, "maybe": null, "set": null, "one": null, "optional": null}"#)
        #expect(cleared.months.isEmpty && cleared.maybe == nil && cleared.set.isEmpty)
        #expect(cleared.one == User() && cleared.optional == nil)
        var kept = report
        try Report.mapping.update(&kept, from: "{}")
        #expect(kept.months.count == 1 && kept.optional?.id == 1)
    }

    @Test func `Values under keys can be other kinds than objects`() throws {
        struct Rate: Mappable, Equatable {
            var currency = ""
            var value = 0.0
            var base: String?
            static let mapping = Mapping(Rate.init) {
                Attribute(.key, \.currency)
                Attribute("{currency}", \.value)
                Attribute("@parent.base", \.base)
            }
        }
        struct Rates: Mappable {
            var rates: [Rate] = []
            static let mapping = Mapping(Rates.init) { Relationship("rates", \.rates) }
        }
        #expect(
            try Rates.mapping.map(#"{"rates": {"USD": 1.5, "JPY": 2}, "base": "EUR"}"#).rates == [
                Rate(currency: "USD", value: 1.5, base: "EUR"), Rate(currency: "JPY", value: 2, base: "EUR"),
            ])
        #expect(try Rate.mapping.mapAll(#"{"USD": 1.5}"#) == [Rate(currency: "USD", value: 1.5)])
    }

    @Test func `Missing values next to dynamic keys are named`() {
        let mapping = Mapping(Box.init) {
            Attribute("{key}.id", \.int)
            Attribute("total", \.double).required
        }
        expectIssues(
            "1:7 $.a: expected 'total' in the object that contains the keys, found no value (rule total -> Box.double); did you mean 'totals'?"
        ) {
            _ = try mapping.mapAll(#"{"a": {}, "totals": null}"#)
        }
    }

    @Test func `A placeholder can be named key`() throws {
        let mapping = Mapping(Box.init) {
            Attribute(.key, \.text)
            Attribute("{key}.id", \.int)
        }
        #expect(try mapping.mapAll(#"{"a": {"id": 1}, "b": {"id": 2}}"#).map(\.int) == [1, 2])
    }

    @Test func `A path with braces can be given verbatim`() throws {
        let mapping = Mapping(Box.init) {
            Attribute(["{text}", "id"], \.int)
            Attribute(#"\{text}"#, \.json)
        }
        #expect(try mapping.map(#"{"{text}": {"id": 1}}"#).int == 1)
    }

    @Test func `Models under keys can be nested and created from other values`() throws {
        final class Folder: Mappable {
            let name: String
            let folders: [Folder]
            init(_ values: Values) { (name, folders) = (values.name, values.folders) }
            struct Values: Mappable {
                var name = ""
                var folders: [Folder] = []
                static let mapping = Mapping(Values.init) {
                    Attribute(.key, \.name)
                    Relationship("{name}.folders", \.folders)
                }
            }
            var text: String { name + (folders.isEmpty ? "" : "(\(folders.map(\.text).joined(separator: " ")))") }
            static let mapping = Mapping(Folder.init, from: Values.mapping)
        }
        let folder = try Folder.mapping.map(#"{"a": {"folders": {"b": {}, "c": {"folders": {"d": {}}}}}}"#)
        #expect(folder.text == "a(b c(d))")
    }

    @Test(arguments: [
        (#"{"a": {"id": 1}, "b": {"id": 2}, "a": {"id": 3}}"#, "b 2, a 3"),
        (#"{"a": {"id": 1}, "a": null}"#, ""),
        (#"{"a": null, "a": {"id": 1}}"#, "a 1"),
        (#"{"a": {"id": 1}, "a": {"id": 2}, "\u0061": {"id": 3}}"#, "a 3"),
        (#"{"a": {"id": 1, "id": 2}}"#, "a 2"),
    ])
    func `The last of repeated keys is used`(payload: String, expected: String) throws {
        struct Users: Mappable {
            var users: [User] = []
            static let mapping = Mapping(Users.init) { Relationship("users", \.users) }
        }
        let users = try Users.mapping.map(#"{"users": \#(payload)}"#).users
        #expect(users.map { "\($0.name) \($0.id)" }.joined(separator: ", ") == expected)
        var report = MappingReport()
        #expect(try User.mapping.mapAll(payload, report: &report) == users)
        #expect(report.issues.allSatisfy { $0.kind == .duplicateKey } && !report.issues.isEmpty)
    }

    @Test func `All models of the last repeated outer key are used`() throws {
        let payload = #"{"1": {"1": {}, "2": {}}, "2": {"3": {}}, "1": {"4": {}}}"#
        #expect(try Month.mapping.mapAll(payload).map(\.month) == [3, 4])
        let one = try Month.mapping.map(#"{"1": {"1": {"sum": {"total": 5}}}, "1": {"4": {}}}"#)
        #expect(one == Month(year: 1, month: 4))
    }

    @Test func `Objects of an earlier repeated key are released`() throws {
        final class Counted: Mappable {
            static let alive = Mutex(0)
            init() { Self.alive.withLock { $0 += 1 } }
            deinit { Self.alive.withLock { $0 -= 1 } }
            var name = ""
            static let mapping = Mapping({ Counted() }) {
                Attribute(.key, \.name)
                Attribute("{name}.name", \.name)
            }
        }
        for payload in [
            #"{"a": {}, "a": {}, "b": {}}"#, #"{"a": {}, "b": {}, "a": {"name": []}}"#, #"{"a": {}, "b": {},"#,
        ] {
            _ = issues { _ = try Counted.mapping.mapAll(payload) }
            _ = issues { _ = try Counted.mapping.map(payload) }
            #expect(Counted.alive.withLock { $0 } == 0)
        }
    }
}
