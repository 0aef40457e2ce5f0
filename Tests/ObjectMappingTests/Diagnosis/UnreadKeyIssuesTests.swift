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
