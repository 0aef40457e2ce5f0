import ObjectMapping
import Testing

/// A class with properties of all kinds.
private final class Part: Mappable {
    var id = ""
    var name = "fresh"
    var place: Int?
    var owner: String?
    var home = Home()
    var parts: [Part] = []
    var found: [Part] = []
    var ids: [String] = []
    var linked: [Part] = []

    static let mapping = Mapping({ Part() }) {
        Attribute(.key, \.id)
        Attribute("name", \.name)
        Attribute(.index, \.place)
        Attribute(.parent("name"), \.owner)
        Relationship("home", \.home)
        Relationship("parts", \.parts, each: .member)
        Relationship("all.@unionOfArrays.list", \.found, listed)
        Attribute("ids", \.ids)
        Connection(\.linked, by: \.ids)
    }
    .identified(by: \.id)

    static let listed: Mapping<Part> = Mapping({ Part() }) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute(.index, \.place)
        Attribute(.parent("name"), \.owner)
        Relationship("parts", \.parts, listed)
        Attribute("ids", \.ids)
        Connection(\.linked, by: \.ids)
    }
    .identified(by: \.id)
}

/// A class that is never nil.
private final class Home: Mappable {
    var id: Int?
    var city = "nowhere"

    static let mapping = Mapping({ Home() }) {
        Attribute("id", \.id)
        Attribute("city", \.city)
    }
    .identified(by: \.id)
}

/// A class of constants.
private final class Constant: Mappable {
    struct Values {
        var id: Int?
        var name = ""

        static let mapping = Mapping(Values.init) {
            Attribute("id", \.id)
            Attribute("name", \.name)
        }
    }

    let id: Int?
    let name: String

    init(_ values: Values) { (id, name) = (values.id, values.name) }

    static let mapping = Mapping({ Constant($0) }, from: Values.mapping).identified(by: \.id)
}

struct SessionDecodeTests {
    @Test func `A skipped element changes nothing`() throws {
        let session = MappingSession()
        let known = try Part.listed.map(#"{"id": "a", "name": "one"}"#, in: session)
        var report = MappingReport(policy: .skipElement)
        let parts = try Part.listed.mapAll(
            """
            [{"id": "b", "ids": ["a", "c"]}, {"id": "c", "ids": ["d"], "parts": [{"id": "a", "name": "two"}], "name": []},
             {"id": "a", "parts": [{"id": "e"}]}, {"id": "d", "name": {}}]
            """, in: session, report: &report)
        #expect(report.rejected.map(\.index) == [1, 3])
        #expect(parts.map(\.id) == ["b", "a"] && parts[1] === known && known.name == "one")
        #expect(session.all(Part.self).map(\.id) == ["a", "b", "e"])
        #expect(parts[0].linked.count == 1 && parts[0].linked.first === known)
        #expect(session.unresolved.map(\.key) == [["c"]])
    }

    @Test func `An element that is kept with its issues is registered`() throws {
        let session = MappingSession()
        var report = MappingReport(policy: .collect)
        let parts = try Part.listed.mapAll(
            #"[{"id": "a", "name": []}, {"id": "b", "ids": ["a"]}]"#, in: session, report: &report)
        #expect(report.issues.count == 1 && parts[1].linked.first === parts[0])
    }

    @Test func `Outer values are found when an object is read a second time`() throws {
        let session = MappingSession()
        let known = try Part.listed.mapAll(#"[{"id": "a"}, {"id": "b"}]"#, in: session)
        let parts = try Part.listed.mapAll(
            #"[{"id": "x", "name": "X", "parts": [{"id": "c"}, {"id": "b"}, null, {"id": "a", "name": "A"}]}]"#,
            in: session)
        #expect(parts[0].parts.map(\.id) == ["c", "b", "a"] && parts[0].parts[2] === known[0])
        #expect(parts[0].parts.map(\.owner) == ["X", "X", "X"] && parts[0].parts.map(\.place) == [0, 1, 3])
        #expect(known[0].name == "A" && known[1].place == 1)
    }

    @Test func `A dynamic key can be the identity`() throws {
        let session = MappingSession()
        let parts = try Part.mapping.mapAll(
            """
            {"a": {"name": "A", "ids": ["b"], "parts": {"b": {"ids": ["c", "a"]}, "c": {"name": "C"}}},
             "b": {"name": "B"}}
            """, each: .member, in: session)
        #expect(parts.map(\.id) == ["a", "b"] && parts[0].parts.map(\.id) == ["b", "c"])
        #expect(parts[0].parts[0] === parts[1] && parts[1].name == "B")
        #expect(parts[0].linked.map(\.id) == ["b"] && parts[1].linked.map(\.id) == ["c", "a"])
        parts[1].linked = []
    }

    @Test func `Objects that an operator finds are shared`() throws {
        let session = MappingSession()
        let parts = try Part.mapping.mapAll(
            #"{"x": {"all": [{"list": [{"id": "a", "name": "A"}]}]}, "a": {"ids": ["x"]}}"#, each: .member, in: session)
        #expect(parts[0].found.first === parts[1] && parts[1].name == "A" && parts[1].linked.first === parts[0])
        parts[1].linked = []
    }

    @Test func `A property that is not optional is set to the known object`() throws {
        let session = MappingSession()
        let home = try Home.mapping.map(#"{"id": 1, "city": "Rome"}"#, in: session)
        let parts = try Part.mapping.mapAll(
            #"{"a": {"home": {"id": 1}}, "b": {"home": {"id": 2}}, "c": {"home": null}}"#, each: .member, in: session)
        #expect(parts[0].home === home && parts[0].home.city == "Rome" && parts[1].home.id == 2)
        #expect(parts[2].home.id == nil && session.all(Home.self).map(\.id) == [1, 2])
    }

    @Test func `The last of created objects is found`() throws {
        let session = MappingSession()
        let all = try Constant.mapping.mapAll(
            #"[{"id": 1, "name": "a"}, {"id": 1, "name": "b"}, {"name": "c"}]"#, in: session)
        #expect(all.map(\.name) == ["a", "b", "c"])
        #expect(session.find(Constant.self, 1) === all[1] && session.all(Constant.self).count == 1)
    }

    @Test func `Known objects nest up to the limit of the text`() throws {
        let session = MappingSession()
        func nested(_ levels: Int) -> String {
            String(repeating: #"{"id": "a", "parts": ["#, count: levels) + String(repeating: "]}", count: levels)
        }
        let part = try Part.listed.map(nested(255), in: session)
        #expect(part.parts.first === part && session.all(Part.self).count == 1)
        part.parts = []
        #expect(throws: MappingError.self) { try Part.listed.map(nested(300), in: session) }
        #expect(part.parts.isEmpty)
    }

    @Test func `The elements of a stream are connected one after the other`() throws {
        let session = MappingSession()
        var rejected: [String] = []
        let elements = Part.listed.elements(
            of: Array(
                #"[{"id": "a", "ids": ["c"]}, {"id": "b", "name": []}, {"id": "a", "name": "A"}, {"id": "c"}]"#.utf8),
            in: session, rejecting: { rejected.append($0.path) }
        )
        let first = try #require(try elements.next())
        #expect(first.linked.isEmpty && session.unresolved.count == 1)
        #expect(try elements.next() === first && first.name == "A")
        let last = try elements.next()
        #expect(first.linked.first === last && session.unresolved.isEmpty)
        #expect(try elements.next() == nil && rejected == ["$[1]"])
        #expect(session.all(Part.self).map(\.id) == ["a", "c"])
    }

    @Test(arguments: Observed.Caller.allCases)
    private func `A session that user code clears during a decode is empty after it`(_ caller: Observed.Caller) throws {
        // Used by one thread.
        nonisolated(unsafe) let session = MappingSession()
        let listed = Mapping({ Observed(caller, session) }) {
            Attribute("id", \.id)
            Attribute("size", \.size).validate("a size") { _ in
                if caller == .validation { session.removeAll() }
                return true
            }
        }
        .identified(by: \.id)
        let mapping = Mapping({ Observed(caller, session) }) {
            Attribute("id", \.id)
            Attribute("size", \.size)
            Relationship("parts", \.parts, listed)
        }
        .identified(by: \.id)
        let text =
            #"[{"id": 1, "size": 1, "parts": [{"id": 3, "size": 1}, {"id": 1, "size": 5}]}, {"id": 2, "size": 9}]"#
        do {
            let models = try mapping.mapAll(text, in: session)
            #expect(models.map(\.id) == [1, 2])
        }
        if caller == .deinitializer {
            #expect(throws: MappingError.self) { try mapping.mapAll(#"[{"id": 5}, {"id": "x"}]"#, in: session) }
        }
        #expect(session.all(Observed.self).isEmpty && session.find(Observed.self, 1) == nil)
        _ = try mapping.mapAll(#"[{"id": 4}]"#, in: session)
        #expect(session.find(Observed.self, 4) != nil)
    }

    @Test func `A mapping is released with its last user`() throws {
        let session = MappingSession()
        weak var kept: Token?
        do {
            let token = Token()
            kept = token
            let mapping = Mapping({
                _ = token
                return Home()
            }) { Attribute("id", \.id) }
            .identified(by: \.id)
            _ = try mapping.map(#"{"id": 1}"#, in: session)
        }
        #expect(kept == nil && session.find(Home.self, 1) != nil)
    }
}

/// An object whose release is observed.
private final class Token: Sendable {}

/// An object that clears its session when its size is set or when it is released.
private final class Observed {
    enum Caller: CaseIterable { case observer, validation, deinitializer }

    var id: Int?
    var size = 0 { didSet { if caller == .observer { session.removeAll() } } }
    var parts: [Observed] = []
    private let caller: Caller
    private let session: MappingSession

    init(_ caller: Caller, _ session: MappingSession) {
        self.caller = caller
        self.session = session
    }

    deinit { if caller == .deinitializer { session.removeAll() } }
}
