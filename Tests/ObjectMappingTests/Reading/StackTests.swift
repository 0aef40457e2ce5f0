import Foundation
import ObjectMapping
import TestSupport
import Testing

/// Operations that are recursive in the nesting of a value fail with an error before the stack overflows.
@Suite struct StackTests {
    private static let message =
        "expected fewer levels of nesting, or a thread with a larger stack, "
        + "found a value nested too deeply for this thread's stack"

    /// An operation on a value of a depth.
    enum Operation: String, CaseIterable {
        case map, members, skip, mapAll, parallel, stream, payload, update, identified, stored
        case match, choice, context, explain, unreadKeys, decoder, lists, attribute
        case serialize, dictionaries, encode, changes
    }

    @Test(arguments: Operation.allCases, [128, 512, 8192])
    func `Deep values are errors of the thread's stack, or are read`(_ operation: Operation, kilobytes: Int) throws {
        // Without the optimizer a level takes more than 10 KB.
        let isSmall = kilobytes == 128
        let shallow = try onSmallStack(kilobytes: kilobytes) { Deep.message(operation, depth: 9) }
        #expect(shallow == "" || isSmall && shallow.contains(Self.message), "\(shallow)")
        let depth = operation == .choice ? 60 : 500
        let deep = try onSmallStack(kilobytes: kilobytes) { Deep.message(operation, depth: depth) }
        // Skipping takes little stack.
        let isDone = deep == "" && (!isSmall || operation == .skip)
        #expect(isDone || deep.contains(Self.message), "\(deep)")
    }

    @Test(arguments: [(StackTests.Operation.map, "1:", "$.next"), (.mapAll, "2:", "$[1].next")])
    func `The error has the position of the value that exceeds the stack`(
        _ operation: Operation, line: String, path: String
    ) throws {
        let found = try onSmallStack { Deep.message(operation, depth: 500) }
        let column = try #require(Int(found.dropFirst(2).prefix { $0 != " " }))
        #expect(found.hasPrefix(line) && column > 1 && (column - 1).isMultiple(of: 8), "\(found)")
        #expect(found.contains(" \(path).next") && found.hasSuffix(".next: \(Self.message)"), "\(found)")
    }

    @Test func `Values outside of the path of a collection need no stack`() throws {
        let isRead = try onSmallStack {
            let text =
                #"{"other": \#(String(repeating: "[", count: 500))\#(String(repeating: "]", count: 500)), "a": [{}]}"#
            return try Chain.mapping.mapAll(text, at: "a").count
        }
        #expect(isRead == 1)
    }

    @Test func `A line that exceeds the stack is rejected, and the next lines are read`() throws {
        let text = "{}\n\(Deep.chain(500))\n{\"next\": {}}\n"
        let (counts, rejected) = try onSmallStack {
            var report = MappingReport(policy: .skipElement)
            let models = try Chain.mapping.mapAll(text, each: .line, report: &report)
            var rejected = report.rejected
            let elements = Chain.mapping.elements(of: Array(text.utf8), each: .line) { rejected.append($0) }
            var count = 0
            while try elements.next() != nil { count += 1 }
            return ([models.count, count], rejected)
        }
        #expect(counts == [2, 2] && rejected.map(\.index) == [1, 1])
        for element in rejected {
            let issue = element.issues.map(\.description).joined()
            #expect(issue.hasPrefix("2:") && issue.hasSuffix(Self.message), "\(issue)")
            #expect(String(decoding: element.json, as: UTF8.self) == Deep.chain(500))
        }
    }

    @Test func `A type that encodes itself endlessly is an error`() throws {
        struct Endless: Codable, Sendable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(self)
            }
        }
        struct Endlesses: Sendable { var value = Endless() }
        let mapping = Mapping(Endlesses.init) { Attribute("value", \.value, using: .codable) }
        let found = try onSmallStack {
            do { return try mapping.json(of: Endlesses()).text } catch { return "\(error)" }
        }
        #expect(found.hasPrefix("$.value: \(Self.message)"), "\(found)")
    }

    @Test func `Trees of any depth are merged into one object`() throws {
        struct Pair: Sendable {
            var one = JSON.null
            var other = JSON.null
        }
        let mapping = Mapping(Pair.init) {
            Attribute(.value, \.one)
            Attribute(.value, \.other)
        }
        let written = try onSmallStack {
            let one = try JSON(Deep.nested(#"{"a":"#, 500, "}", "1"))
            let other = try JSON(Deep.nested(#"{"b":2,"a":"#, 499, "}", #"{"c":3}"#))
            return try mapping.json(of: Pair(one: one, other: other)).text
        }
        #expect(written == Deep.nested(#"{"a":"#, 499, #","b":2}"#, #"{"a":1,"c":3}"#))
    }

    @Test func `A stream continues on a thread with another stack`() throws {
        let stream = UncheckedBox(Chain.mapping.elements(of: Array("[\(Deep.chain(40)), \(Deep.chain(40))]".utf8)))
        let first = try onSmallStack(kilobytes: 8192) { try stream.value.next() != nil }
        let second = try onSmallStack(kilobytes: 8192) { try stream.value.next() != nil }
        #expect(first && second)
    }
}

private final class UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

/// Nested objects.
private final class Chain: Mappable {
    var next: Chain?
    static let mapping = Mapping(Chain.init) { Relationship("next", \.next) }

    static func ofDepth(_ depth: Int) -> Chain {
        let first = Chain()
        var last = first
        for _ in 1..<depth {
            let next = Chain()
            last.next = next
            last = next
        }
        return first
    }
}

private final class NamedChain: Mappable {
    var id = 0
    var next: NamedChain?
    static let mapping = Mapping(NamedChain.init) {
        Attribute("id", \.id)
        Relationship("next", \.next)
    }
    .identified(by: \.id)
}

private struct Tree: Mappable {
    var children: [String: Tree] = [:]
    var parentKeys = 0
    static let mapping = Mapping(Tree.init) { Relationship("next", \.children) }
}

private final class Sibling: Mappable {
    var depth = 0
    var next: Sibling?
    static let mapping = Mapping(Sibling.init) {
        Attribute(.parent("next.@count"), \.depth)
        Relationship("next", \.next)
    }
}

private final class Chosen: Mappable {
    var next: Chosen?
    static let mapping: Mapping<Chosen> = Mapping(matching: {
        Match("kind", is: "a", plain)
        Otherwise(plain)
    })
    static let plain = Mapping(Chosen.init) { Relationship("next", \.next) }
}

private final class Computed: Mappable {
    var next: Computed?
    static let mapping: Mapping<Computed> = Mapping(matching: { Match { _ in plain } })
    static let plain = Mapping(Computed.init) { Relationship("next", \.next) }
}

private final class CodableChain: Codable, JSONConvertible {
    var next: CodableChain?
    init() {}

    static func ofDepth(_ depth: Int) -> CodableChain {
        var chain = CodableChain()
        for _ in 1..<depth {
            let outer = CodableChain()
            outer.next = chain
            chain = outer
        }
        return chain
    }
}

private struct CodableTree: Codable {
    var next: [CodableTree]
}

private struct Holder: Mappable {
    var value: CodableChain?
    static let mapping = Mapping(Holder.init) { Attribute("value", \.value) }
}

private struct TreeHolder: Mappable {
    var value: JSON = .null
    static let mapping = Mapping(TreeHolder.init) { Attribute("value", \.value) }
}

private enum Deep {
    static func nested(_ open: String, _ depth: Int, _ close: String, _ end: String = "") -> String {
        String(repeating: open, count: depth) + end + String(repeating: close, count: depth)
    }

    static func chain(_ depth: Int) -> String { nested(#"{"next":"#, depth, "}", "null") }

    /// The error of the operation for a value; empty if it succeeds.
    static func message(_ operation: StackTests.Operation, depth: Int) -> String {
        do {
            return try run(operation, depth)
        } catch let error as DecodingError {
            guard case .dataCorrupted(let context) = error else { return "\(error)" }
            return context.debugDescription
        } catch {
            return "\(error)"
        }
    }

    private static func run(_ operation: StackTests.Operation, _ depth: Int) throws -> String {
        let chain = chain(depth)
        let options = MappingOptions(requiresMappedKey: false)
        switch operation {
        case .map: _ = try Chain.mapping.map(chain)
        case .members:
            _ = try Tree.mapping.map(nested(#"{"next":{"a":"#, depth / 2, "}}", "null"), options: options)
        case .skip: _ = try Chain.mapping.map(#"{"other": \#(nested("[", depth, "]"))}"#, options: options)
        case .mapAll: _ = try Chain.mapping.mapAll("[{},\n\(chain)]")
        case .parallel:
            let text = "[" + Array(repeating: chain, count: 300_000 / chain.utf8.count + 1).joined(separator: ",") + "]"
            _ = try Chain.mapping.mapAll(text, parallel: true)
        case .stream:
            let stream = Chain.mapping.elements(of: Array("[{}, \(chain)]".utf8))
            while try stream.next() != nil {}
        case .payload:
            let payload = PayloadMapping { Root("a", Chain.mapping) }
            _ = try payload.map(#"{"a": [\#(chain)]}"#)
        case .update:
            let object = Chain.ofDepth(depth)
            try Chain.mapping.update(object, from: chain)
        case .identified:
            let text = nested(#"{"next":"#, depth, #","id":1}"#, "null")
            _ = try NamedChain.mapping.map(text)
        case .stored:
            let session = MappingSession()
            _ = try NamedChain.mapping.map(#"{"id": 1}"#, in: session)
            let text = nested(#"{"id":1,"next":"#, depth, "}", "null")
            _ = try NamedChain.mapping.map(text, in: session)
        case .match: _ = try Chosen.mapping.map(chain)
        case .choice: _ = try Computed.mapping.map(chain)
        case .context: _ = try Sibling.mapping.map(chain)
        case .explain:
            let explanation = Chain.mapping.explain(chain)
            _ = explanation.description
            return (explanation.issues + explanation.objects.flatMap(\.issues)).first?.description
                ?? issue(in: explanation.objects)
        case .unreadKeys: _ = try Chain.mapping.unreadKeys(of: chain)
        case .decoder: _ = try MappingDecoder().decode(CodableChain.self, from: chain)
        case .lists:
            _ = try MappingDecoder().decode([CodableTree].self, from: nested(#"[{"next":"#, depth / 2, "}]", "[]"))
        case .attribute: _ = try Holder.mapping.map(#"{"value": \#(chain)}"#)
        case .serialize: _ = try Chain.mapping.serialize(Chain.ofDepth(depth))
        case .dictionaries:
            var tree = Tree()
            for _ in 0..<depth / 2 { tree = Tree(children: ["a": tree]) }
            _ = try Tree.mapping.serialize(tree)
        case .encode: _ = try Holder.mapping.serialize(Holder(value: CodableChain.ofDepth(depth)))
        case .changes:
            let old = try JSON(#"{"value": \#(chain)}"#)
            let new = try JSON(#"{"value": \#(nested(#"{"next":"#, depth, "}", "1"))}"#)
            _ = try TreeHolder.mapping.changes(of: TreeHolder(value: new["value"]), from: old)
        }
        return ""
    }

    /// The first issue of an object or of its nested objects.
    private static func issue(in objects: [MappingExplanation.Object]) -> String {
        var pending = objects
        while let object = pending.popLast() {
            if let issue = object.issues.first { return issue.description }
            pending += object.rules.flatMap(\.objects)
        }
        return ""
    }
}
