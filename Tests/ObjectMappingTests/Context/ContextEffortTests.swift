import ObjectMapping
import Testing

/// An object that reads outer values, and contains others.
private final class Link: Mappable {
    var number = 0
    var parent: Int?
    var root: Int?
    var index: Int?
    var key = ""
    var next: Link?
    var links: [Link] = []

    static let mapping = Mapping({ Link() }) {
        Attribute("number", \.number)
        Attribute("@parent.number", \.parent)
        Attribute("@root.number", \.root)
        Attribute(.index, \.index)
        Attribute(.key, \.key)
        Relationship("next", \.next)
        Relationship("links", \.links)
    }
}

@Suite struct ContextEffortTests {
    /// Nested objects, each with a text before and after the next one.
    private static func chain(_ depth: Int, padding: Int) -> String {
        let text = String(repeating: "x", count: padding)
        var payload = ""
        for level in 0..<depth { payload += #"{"number": \#(level), "text": "\#(text)", "next": "# }
        payload += "null"
        for _ in 0..<depth { payload += #", "more": "\#(text)"}"# }
        return payload
    }

    @Test func `Objects at the nesting limit have their parents`() throws {
        var link = try Link.mapping.map(Self.chain(512, padding: 0))
        var depth = 0
        while let next = link.next {
            depth += 1
            guard next.parent == depth - 1, next.root == 0, next.key == "next" else { break }
            link = next
        }
        #expect(depth == 511)
    }

    @Test func `The parents of deep objects are read once`() throws {
        // Trees of each object would be 100 MB of text.
        let payload = Self.chain(500, padding: 400)
        let clock = ContinuousClock()
        let shallow = try clock.measure { _ = try JSON(payload) }
        let deep = try clock.measure { _ = try Link.mapping.map(payload) }
        #expect(deep < shallow * 60 + .milliseconds(200))
    }

    @Test func `The key of a list is searched once, not by each element`() throws {
        let elements = "[" + String(repeating: "{},", count: 20_000) + "{}]"
        let near = #"{"links":\#(elements)}"#
        let far = #"{"links":\#(String(repeating: " ", count: 200_000))\#(elements)}"#
        let clock = ContinuousClock()
        let short = try clock.measure { _ = try Link.mapping.map(near) }
        var links: [Link] = []
        let long = try clock.measure { links = try Link.mapping.map(far).links }
        #expect(links.count == 20_001 && links.allSatisfy { $0.key == "links" })
        #expect(long < short * 5 + .milliseconds(200))
    }

    @Test func `Many elements with outer sources take linear time`() throws {
        func elapsed(_ count: Int) throws -> Duration {
            let elements = (0..<count).map { #"{"number": \#($0), "next": {"number": \#($0)}}"# }
            let payload = #"{"number": 7, "links": [\#(elements.joined(separator: ", "))]}"#
            return try ContinuousClock().measure {
                let link = try Link.mapping.map(payload)
                #expect(link.links.count == count)
                #expect(link.links.allSatisfy { $0.parent == 7 && $0.next?.parent == $0.number && $0.next?.root == 7 })
                #expect(link.links.last?.index == count - 1 && link.links.last?.next?.index == nil)
            }
        }
        let few = try elapsed(1_000)
        let many = try elapsed(10_000)
        #expect(many < few * 40 + .milliseconds(200))
    }

    @Test func `Many issues of one outer value take linear time`() {
        let mapping = Mapping(Box.init) { Attribute("@root.z", \.int) }
        let payload = #"{"list": [\#(Array(repeating: "{}", count: 10_000).joined(separator: ", "))], "z": "x"}"#
        let elapsed = ContinuousClock().measure {
            #expect(throws: MappingError.self) { _ = try mapping.mapAll(payload, at: "list") }
        }
        #expect(elapsed < .seconds(10))
    }

    @Test func `Many dynamic and repeated keys take linear time`() throws {
        let mapping = Mapping(Box.init) {
            Attribute(.key, \.text)
            Attribute("{text}.id", \.int)
        }
        let members = (0..<20_000).map { #""\#($0 / 2)": {"id": \#($0)}"# }
        let models = try mapping.mapAll("{\(members.joined(separator: ", "))}")
        #expect(models.count == 10_000)
        #expect(models.allSatisfy { $0.int % 2 == 1 && Int($0.text) == $0.int / 2 })
    }

    @Test func `A mapping that reads the payload in itself endlessly is an issue`() throws {
        struct Mirror: Mappable {
            var selves: [Mirror] = []
            static let mapping = Mapping(Mirror.init) { Relationship(.root, \.selves) }
        }
        let found = issues { _ = try Mirror.mapping.map("{}") }
        #expect(
            found
                == "expected a key or an array before the mapping contains itself, found an infinitely recursive mapping"
        )
    }

    @Test func `Dynamic keys nest up to the limit of the text`() throws {
        struct Level: Mappable {
            var name = ""
            var levels: [Level] = []
            static let mapping = Mapping(Level.init) {
                Attribute(.key, \.name)
                Relationship("{name}.in", \.levels)
            }
            var depth: Int {
                var depth = 1
                var level = self
                while let next = level.levels.first {
                    depth += 1
                    level = next
                }
                return depth
            }
        }
        let payload = String(repeating: #"{"a": {"in": "#, count: 255) + "{}" + String(repeating: "}}", count: 255)
        #expect(try Level.mapping.map(payload).depth == 255)
    }
}
