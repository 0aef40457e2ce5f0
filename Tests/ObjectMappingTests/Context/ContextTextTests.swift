import Foundation
import ObjectMapping
import Testing

/// An object that reads one outer value.
private struct Reader {
    var found: JSON? = "-".json
    var again: JSON? = "-".json

    static func mapping(_ source: MappingSource) -> Mapping<Reader> {
        Mapping(Reader.init) {
            Attribute(source, \.found)
            Attribute(source, \.again)
        }
    }
}

private struct Holder {
    var one = Reader()
    var many: [Reader] = []

    static func mapping(_ source: MappingSource) -> Mapping<Holder> {
        Mapping(Holder.init) {
            Relationship("one", \.one, Reader.mapping(source))
            Relationship("many", \.many, Reader.mapping(source))
        }
    }
}

/// Values that are read from the text around an object are equal to those of its tree.
@Suite struct ContextTextTests {
    private static let values = [
        "1", "-0", "1.50", "1e3", "123456789012345678901234567890", "true", "false", "null", #""""#, #""text""#,
        #""é 漢""#, #""a\"b\\c\u00e9\n""#, "[]", "{}", "[ 1 , [2], {\"a\": 3} ]",
        #"{"a": {"b": "x", "b": "y"}, "c": [1]}"#,
        #"{"a": [{"b": 1}, {"b": 2.5}, {}], "c": null}"#, #"{"\u0061": {"b": "escaped"}}"#,
    ]

    private static let paths = [
        "v", "v.a", "v.a.b", "v.c", "v.@count", "v.a.@sum.b", "v.a.@unionOfObjects.b", "w", "@count",
    ]

    @Test(arguments: values) func `A value is found at any position of the outer object`(value: String) throws {
        let objects = #""one": {"x": [1]}, "many": [{}, {"y": {}}, null, {}]"#
        let padding = String(repeating: "x", count: 20_000)
        let payloads = [
            #"{"v": \#(value), \#(objects)}"#, #"{\#(objects), "v": \#(value)}"#,
            #"{"v": 7, \#(objects), "v": \#(value)}"#, #"{"v": \#(value), \#(objects), "\u0076": [8]}"#,
            #"{"v": \#(value) , "pad": "\#(padding)", \#(objects)}"#,
            #"{\#(objects), "pad": "\#(padding)", "v" : \#(value)}"#,
            #"{"pad": ["\#(padding)"], \#(objects), "v": \#(value), "end": "\#(padding)"}"#,
        ]
        for payload in payloads {
            for path in Self.paths {
                let holder: Holder
                let expected: String?
                do {
                    // Without a value nothing is found, and null is nil for an optional.
                    let value = try JSON(payload).value(at: path) ?? "-".json
                    expected = value.isNull ? nil : value.text
                } catch {
                    #expect(throws: MappingError.self) {
                        _ = try Holder.mapping(.parent(JSONKeyPath(path))).map(payload)
                    }
                    continue
                }
                holder = try Holder.mapping(.parent(JSONKeyPath(path))).map(payload)
                let found = ([holder.one] + holder.many).flatMap { [$0.found?.text, $0.again?.text] }
                #expect(found == Array(repeating: expected, count: 8), "\(path) in \(payload.prefix(200))")
                let roots = try Reader.mapping(.root(JSONKeyPath(path))).mapAll(payload, at: "many")
                #expect(
                    roots.map(\.found?.text) == Array(repeating: expected, count: 3),
                    "\(path) in \(payload.prefix(200))")
            }
        }
    }

    @Test(arguments: 0..<60) func `Numbers, strings and dates are read at any position of a long text`(shift: Int)
        throws
    {
        struct Owned: Mappable {
            var number = 0
            var double = 0.0
            var text = ""
            var flag: Bool?
            var date = Date(timeIntervalSince1970: 0)
            static let mapping = Mapping(Owned.init) {
                Attribute(.parent("n"), \.number)
                Attribute(.parent("d"), \.double)
                Attribute(.parent("t"), \.text)
                Attribute(.parent("f"), \.flag)
                Attribute(.parent("at"), \.date)
            }
        }
        struct Owner: Mappable {
            var owned = Owned()
            static let mapping = Mapping(Owner.init) { Relationship("o", \.owned) }
        }
        let elements = (0..<250).map { index in
            #"{"n": \#(index),"t":"é\#(index)","o":{"x":1},"d":\#(index).5, "f":true,"at":"1970-01-01T00:00:09Z"}"#
        }
        let payload = "[" + String(repeating: " ", count: 2 * shift) + elements.joined(separator: ",") + "]"
        let found = try Owner.mapping.mapAll(payload).map(\.owned)
        #expect(found.map(\.number) == Array(0..<250))
        #expect(found.map(\.double) == (0..<250).map { Double($0) + 0.5 })
        #expect(found.map(\.text) == (0..<250).map { "é\($0)" })
        #expect(found.allSatisfy { $0.flag == true && $0.date == Date(timeIntervalSince1970: 9) })
        let wrong = payload.replacing("\"d\":249.5", with: "\"d\":\"wide\"")
        let issues = issues { _ = try Owner.mapping.mapAll(wrong) }
        #expect(issues.contains("$[249].d"), "\(issues)")
    }

    @Test func `Parents at different levels are distinguished`() throws {
        struct Node: Mappable {
            var parent: Int?
            var grandparent: Int?
            var sum: Int?
            var nodes: [Node] = []
            var all: [[Int?]] { [[parent, grandparent, sum]] + nodes.flatMap(\.all) }
            static let mapping = Mapping(Node.init) {
                Attribute(.parent("n"), \.parent)
                Attribute(.parent("n", levels: 2), \.grandparent)
                Attribute(.parent("nodes.@sum.n"), \.sum)
                Relationship("nodes", \.nodes)
            }
        }
        let node = try Node.mapping.map(
            #"{"nodes": [{"n": 2, "nodes": [{"n": 4}, {"n": 5}]}, {"nodes": [{"n": 6}], "n": 3}], "n": 1}"#)
        #expect(
            node.all == [[nil, nil, nil], [1, nil, 5], [2, 1, 9], [2, 1, 9], [1, nil, 5], [3, 1, 6]])
    }

    @Test(arguments: [#""v": tru"#, #""v": 1, "w": "\x""#, #""v": 1 "w": 2"#, #""v": [1, 2"#, #""v": 01"#])
    func `A syntax error after the object is an issue of the text`(rest: String) {
        let payload = #"{"one": {}, \#(rest)}"#
        let found = issues { _ = try Holder.mapping(.parent("v")).map(payload) }
        #expect(found == issues { _ = try JSON(payload) })
    }

    @Test func `Operators of outer values are computed once, not for each element`() throws {
        func elapsed(_ count: Int, _ source: MappingSource) throws -> Duration {
            let elements = (0..<count).map { #"{"n": \#($0), "text": "some text to read"}"# }.joined(separator: ",")
            let payload = #"{"many": [\#(elements)]}"#
            return try ContinuousClock().measure {
                let found = try Holder.mapping(source).map(payload).many
                #expect(found.count == count && found.last?.found?.int == count * (count - 1) / 2)
            }
        }
        for source in [MappingSource.parent("many.@sum.n"), .root("many.@sum.n")] {
            let few = try elapsed(500, source)
            let many = try elapsed(8_000, source)
            #expect(many < few * 64 + .milliseconds(200))
        }
    }
}
