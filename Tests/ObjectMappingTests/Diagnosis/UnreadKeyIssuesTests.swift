import ObjectMapping
import Testing

private struct Settings: Mappable {
    var port = 0
    var name = ""
    var hosts: [Host] = []
    static let mapping = Mapping(Settings.init) {
        Attribute("server.port", \.port)
        Attribute("name", \.name).using(.strict)
        Relationship("hosts", \.hosts, each: .member)
    }
}

private struct Host: Mappable {
    var name = ""
    var isActive = false
    static let mapping = Mapping(Host.init) {
        Attribute(.key, \.name)
        Attribute("active", \.isActive).using(.strict)
    }
}

@Suite struct `Issues of unread keys` {
    @Test func `each unread key is an issue with its position and the nearest mapped key`() throws {
        let text = """
            { "server": { "prot": 80 }, "nmae": 1,
              "hosts": { "a": { "activ": true }, "b": { "color": "red", "active": false } } }
            """
        let issues = try Settings.mapping.unreadKeyIssues(of: text)
        #expect(
            issues.map(\.description) == [
                "1:15 $.server.prot: expected the key 'port', found an unknown key; did you mean 'port'?",
                "1:29 $.nmae: expected the key 'server', 'name' or 'hosts', found an unknown key; did you mean 'name'?",
                "2:21 $.hosts.a.activ: expected the key 'active', found an unknown key; did you mean 'active'?",
                "2:45 $.hosts.b.color: expected the key 'active', found an unknown key",
            ])
        #expect(issues.allSatisfy { $0.kind == .unreadKey && !$0.isWarning })
        #expect(try Settings.mapping.unreadKeyIssues(of: JSON(text)).map(\.path) == issues.map(\.path))
    }

    @Test func `elements of a collection keep their paths and positions`() throws {
        let issues = try Host.mapping.unreadKeyIssues(of: "{ \"hosts\": [\n  {}, { \"port\": 1 }] }", at: "hosts")
        #expect(issues.map(\.description) == ["2:9 $.hosts[1].port: expected the key 'active', found an unknown key"])
    }

    @Test func `broken JSON throws, other issues do not`() throws {
        #expect(throws: MappingError.self) { try Settings.mapping.unreadKeyIssues(of: "{") }
        #expect(try Settings.mapping.unreadKeyIssues(of: #"{ "name": 7, "hosts": 3 }"#).isEmpty)
    }
}

private struct Page: Mappable {
    var total: Int?
    var score: Double?
    static let mapping = Mapping(Page.init) {
        Attribute(.first("hits.total.value", "hits.total"), \.total)
        Attribute("hits.max_score", \.score)
    }
}

private struct Count: Mappable {
    var total = JSON.null
    static let mapping = Mapping(Count.init) { Attribute(.first("total.value", "total"), \.total) }
}

private struct Memo: Mappable {
    var text = ""
    static let mapping = Mapping<Memo>(matching: {
        Match(.first("meta.type", "type"), is: "note", Mapping(Memo.init) { Attribute("text", \.text) })
    })
}

private struct Chapter: Mappable {
    var book = 0
    static let mapping = Mapping(Chapter.init) { Attribute(.parent("book.id"), \.book) }
}

private struct Part: Mappable {
    var chapters: [Chapter] = []
    static let mapping = Mapping(Part.init) { Relationship("chapters", \.chapters) }
}

/// Keys on the paths of several sources, of which one is read.
@Suite struct `Unread keys beside alternative sources` {
    @Test(arguments: [
        (
            #"{"hits": {"total": {"value": 3, "relation": "eq"}, "max_score": 1, "took": 4}}"#,
            ["$.hits.total.relation", "$.hits.took"]
        ),
        (#"{"hits": {"total": 3, "max_score": 1}}"#, []),
        (#"{"hits": {"total": {"value": 3}, "max_score": 1}}"#, []),
        (#"{"hits": {"max_scor": 1}, "hit": 2}"#, ["$.hits.max_scor", "$.hit"]),
    ]) func `exactly the members that no source reads are unread`(text: String, keys: [String]) throws {
        #expect(try Page.mapping.unreadKeys(of: text) == keys)
    }

    @Test(arguments: [
        (#"{"total": {"value": 3, "relation": "eq"}}"#, ["$.total.relation"]),
        (#"{"total": {"relation": "eq"}}"#, []), (#"{"total": [{"value": 3, "x": 1}]}"#, ["$.total[*].x"]),
    ]) func `a value that is read as a whole has no unread keys, one that could have been read has`(
        text: String, keys: [String]
    ) throws {
        #expect(try Count.mapping.unreadKeys(of: text) == keys)
    }

    @Test func `the sources of conditions are read`() throws {
        #expect(try Memo.mapping.unreadKeys(of: #"{"type": "note", "text": "a"}"#) == [])
        let text = #"{"meta": {"type": "note", "by": 1}, "text": "a", "x": 2}"#
        #expect(try Memo.mapping.unreadKeys(of: text) == ["$.meta.by", "$.x"])
    }

    @Test func `members beside one that nested objects read are unread`() throws {
        let text = #"{"book": {"id": 3, "title": "a"}, "chapters": [{}], "x": 1}"#
        #expect(try Part.mapping.unreadKeys(of: text) == ["$.book.title", "$.x"])
    }
}
