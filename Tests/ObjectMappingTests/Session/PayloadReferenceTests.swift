import ObjectMapping
import TestSupport
import Testing

private struct Leaf: Mappable, CustomStringConvertible {
    var id = 0
    var name: String?
    var description: String { "leaf \(id) \(name ?? "-")" }
    static let mapping = Mapping(Leaf.init) {
        Attribute("id", \.id).required
        Attribute("name", \.name)
    }
}

/// A model with outer values.
private struct Inner: Mappable, CustomStringConvertible {
    var id: Int?
    var outer: Int?
    var key: String?
    var all: JSON?
    var description: String { "inner \(id ?? -1) \(outer ?? -1) \(key ?? "-") \(all.map { "\($0)" } ?? "-")" }
    static let mapping = Mapping(Inner.init) {
        Attribute("id", \.id)
        Attribute(.parent("id"), \.outer)
        Attribute(.key, \.key)
        Attribute(.root("id"), \.all)
    }
}

/// A model whose mapping is selected by a key, which can be repeated.
private struct Chosen: Mappable, CustomStringConvertible {
    var shape = ""
    var id = 0
    var part: Leaf?
    var description: String { "\(shape) \(id) \(part.map { "\($0)" } ?? "-")" }
    private static func shape(_ shape: String) -> Mapping<Chosen> {
        Mapping({ Chosen(shape: shape) }) {
            Attribute("id", \.id)
            Relationship("a", \.part)
        }
    }
    static let mapping: Mapping<Chosen> = Mapping(matching: {
        Match("name", in: ["x": shape("x"), "y": shape("y")])
        Otherwise(shape("other"))
    })
}

/// A model that a session registers.
private final class Known: Mappable, CustomStringConvertible {
    var id: Int?
    var name = "none"
    var version = 0
    var friendID: Int?
    weak var friend: Known?
    var description: String { "known \(id ?? -1) \(name) \(version) -> \(friend?.id ?? -1)" }
    static let mapping = Mapping({ Known() }) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("v", \.version)
        Attribute("friend", \.friendID)
        Connection(\.friend, by: \.friendID)
    }
    .identified(by: \.id).modified(by: \.version)
}

/// A root, with its separate decode.
private struct SlowRoot: CustomStringConvertible {
    let keyPath: JSONKeyPath
    let shape: ElementShape
    let description: String
    let root: Root
    let read: (any JSONInput, MappingSession, MappingOptions, inout MappingReport) throws(MappingError) -> [Any]

    init<Model>(_ keyPath: JSONKeyPath, _ shape: ElementShape, _ mapping: Mapping<Model>) {
        self.keyPath = keyPath
        self.shape = shape
        description = "\(keyPath) \(shape) \(Model.self)"
        root = Root(keyPath, each: shape, mapping)
        read = { payload, session, options, report throws(MappingError) in
            try mapping.mapAll(payload, at: keyPath, each: shape, in: session, options: options, report: &report)
        }
    }
}

/// The result of a payload, as text.
private struct Outcome: Equatable {
    var parts: [String] = []
    var issues: [String] = []
    var report: [String] = []
    var session: [String] = []

    static func part(_ keyPath: JSONKeyPath, _ models: [Any]) -> String { "\(keyPath): \(models)" }

    mutating func take(_ found: MappingReport, _ known: MappingSession) {
        report = [found.details] + found.rejected.map { "\($0.index) \($0.issues)" }
        session = known.all(Known.self).map(\.description) + known.unresolved.map(\.details)
    }
}

/// One payload with its roots.
private struct PayloadCase: CustomStringConvertible {
    var roots: [SlowRoot]
    var text: String
    var isTree: Bool
    var policy: MappingReport.Policy
    var limits: MappingLimits
    var description: String { "\(roots)\n\(isTree ? "tree" : "text"), \(policy), \(limits)\n\(text)" }

    private var options: MappingOptions { MappingOptions(limits: limits, requiresMappedKey: false) }

    private var payload: any JSONInput { isTree ? (try? JSON(text)) ?? text : text }

    /// All roots in one pass.
    func outcome() -> Outcome {
        var outcome = Outcome()
        var report = MappingReport(policy: policy)
        let session = MappingSession()
        do throws(MappingError) {
            let mapping = PayloadMapping { for root in roots { root.root } }
            let result = try mapping.map(payload, in: session, options: options, report: &report)
            // Roots of the same path are one in the subscript.
            for keyPath in result.keyPaths { outcome.parts.append(Outcome.part(keyPath, result[keyPath] ?? [])) }
            outcome.parts.append("\(result.models)")
        } catch {
            outcome.issues = error.issues.map(\.details)
        }
        outcome.take(report, session)
        return outcome
    }

    /// One search for each root.
    func slowOutcome() -> Outcome {
        var outcome = Outcome()
        var report = MappingReport(policy: policy)
        let session = MappingSession()
        var parts: [(keyPath: JSONKeyPath, models: [Any])] = []
        var issues: [MappingIssue] = []
        do throws(MappingError) {
            // An empty document has no models.
            for root in roots where !(isEmptyObject && root.keyPath.components.isEmpty && root.shape != .line) {
                do throws(MappingError) {
                    let models = try root.read(payload, session, options, &report)
                    if !models.isEmpty || isPresent(root) { parts.append((root.keyPath, models)) }
                } catch {
                    if error.isSyntax { throw error }
                    let known = issues
                    issues += error.issues.filter { !known.contains($0) && !$0.expected.hasPrefix("elements") }
                }
            }
            if !issues.isEmpty { throw MappingError(issues.sorted { $0.offset < $1.offset }) }
            if parts.isEmpty { try checkEmpty() }
            for part in parts {
                let models = parts.filter { $0.keyPath == part.keyPath }.flatMap(\.models)
                outcome.parts.append(Outcome.part(part.keyPath, models))
            }
            outcome.parts.append("\(parts.flatMap(\.models))")
            outcome.take(report, session)
        } catch {
            outcome.issues = error.issues.map(\.details)
            outcome.take(MappingReport(policy: policy), MappingSession())
        }
        return outcome
    }

    private var isEmptyObject: Bool { (try? JSON(text))?.object?.isEmpty == true }

    private func isPresent(_ root: SlowRoot) -> Bool {
        if root.shape == .line { return text.contains { !" \t\r\n\u{FEFF}".contains($0) } }
        guard let json = try? JSON(text), let keys = root.keyPath.plainKeys else { return false }
        return holdsValue(json, keys[...])
    }

    /// Whether a path leads to a value other than null or an array of nulls.
    private func holdsValue(_ json: JSON, _ keys: ArraySlice<String>) -> Bool {
        if let key = keys.first {
            if let elements = json.array { return elements.contains { holdsValue($0, keys) } }
            return json.object?[key].map { holdsValue($0, keys.dropFirst()) } ?? false
        }
        guard let elements = json.array else { return !json.isNull }
        return elements.isEmpty || elements.contains { !$0.isNull }
    }

    private func checkEmpty() throws(MappingError) {
        let document = try JSON(payload, maximumDepth: limits.depth)
        if document.object?.isEmpty ?? document.array?.isEmpty ?? false { return }
        for root in roots where root.shape != .line {
            guard let keys = root.keyPath.plainKeys, !keys.isEmpty else { continue }
            if keys.reduce(document, { $0[$1] }).exists { return }
        }
        guard document.object != nil || document.array != nil else {
            throw MappingError(
                MappingIssue(
                    kind: .notFound, path: "$", position: TextPosition(), expected: "an object or an array",
                    found: document.kindName))
        }
        let keys = document.object?.map(\.key) ?? []
        let paths = roots.map(\.keyPath.description).filter { !$0.isEmpty }
        throw MappingError(
            MappingIssue(
                kind: .notFound, path: "$", position: TextPosition(),
                expected: "a value at one of the key paths \(paths.joined(separator: ", "))",
                found: keys.isEmpty ? "no keys" : "the keys \(keys.prefix(12).joined(separator: ", "))",
                suggestions: paths.flatMap { nearestNames(to: $0, among: keys.filter { !paths.contains($0) }) }))
    }
}

/// Payloads and roots that share keys.
private struct RandomPayload {
    var json: RandomJSON
    private static let paths: [JSONKeyPath] = [
        "", "a", "a", "b", "b", "c", "a.b", "a.a", "b.a", "a.b.c", "b.b.b", ["\u{E9}"], ["e\u{301}"], ["x.y"],
        "a.x\\.y",
        "c.@count", "a..b",
    ]

    init(_ seed: Int) { json = RandomJSON(seed: seed) }

    private mutating func chance(_ count: Int) -> Bool { json.random.chance(in: count) }
    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &json.random) }

    mutating func next() -> PayloadCase {
        var limits = MappingLimits()
        if chance(12) { limits.elementCount = number(0...3) }
        if chance(12) { limits.issueCount = number(1...2) }
        if chance(12) { limits.depth = number(1...6) }
        if chance(30) { limits.byteCount = number(0...200) }
        if chance(15) { limits.elementByteCount = number(10...80) }
        return PayloadCase(
            roots: (0..<number(1...5)).map { _ in root() }, text: text(), isTree: chance(8),
            policy: json.random.pick([.fail, .skipElement, .collect]), limits: limits)
    }

    private mutating func root() -> SlowRoot {
        // The last two paths are invalid.
        let path = json.random.pick(chance(20) ? Self.paths : Self.paths.dropLast(2))
        let shape: ElementShape = chance(25) ? .line : json.random.pick([.element, .element, .member])
        return switch number(0...6) {
        case 0, 1: SlowRoot(path, shape, Leaf.mapping)
        case 2: SlowRoot(path, shape, Inner.mapping)
        case 3: SlowRoot(path, shape, Chosen.mapping)
        default: SlowRoot(path, shape, Known.mapping)
        }
    }

    private mutating func text() -> String {
        var text = json.blank() + (chance(12) ? value(2) : object(4)) + json.blank()
        // Long texts are read in place, except for their ends.
        if chance(12) {
            text.insert(contentsOf: String(repeating: " ", count: number(16_000...18_000)), at: text.startIndex)
        }
        if chance(15) { text = "\u{FEFF}" + text }
        if chance(20) { text += json.random.pick(["]", " x", "\u{0}", ","]) }
        if chance(10) {
            var characters = Array(text)
            let index = number(0...characters.count - 1)
            if chance(2) {
                characters.remove(at: index)
            } else {
                characters[index] = json.random.pick(Array("[]{},:\"n0"))
            }
            text = String(characters)
        }
        return text
    }

    private mutating func value(_ depth: Int) -> String {
        switch number(0...(depth > 0 ? 11 : 3)) {
        case 0: "null"
        case 1: json.random.pick(["5", "true", "\"x\"", "[null]", "[null, null]", "[]", "{}", "[[], null]"])
        case 2: "null"
        case 3: item()
        case 4...8:
            "["
                + (0..<number(0...4)).map { _ in chance(6) ? "null" : value(chance(2) ? 0 : depth - 1) }.joined(
                    separator: ", ")
                + "]"
        default: object(depth - 1)
        }
    }

    private mutating func item() -> String {
        var members = [#""id": \#(chance(12) ? json.random.pick(["[]", "null", "true"]) : "\(number(1...6))")"#]
        if chance(2) {
            members.append(#""name": \#(chance(12) ? "[1]" : json.random.pick(["\"x\"", "\"y\"", "\"long name\""]))"#)
        }
        if chance(2) { members.append(#""v": \#(number(0...3))"#) }
        if chance(2) { members.append(#""friend": \#(number(1...6))"#) }
        if chance(15) { members.append(json.random.pick(members)) }
        if chance(10) { members.append(#""name": "\#(json.random.pick(["x", "y", "z"]))""#) }
        if chance(6) { members.append(#""a": {"id": 3}"#) }
        return "{" + members.shuffled(using: &json.random).joined(separator: ", ") + "}"
    }

    private mutating func object(_ depth: Int) -> String {
        var members = chance(3) ? [String(item().dropFirst().dropLast())] : []
        for key in ["a", "b", "c", "\u{E9}", "e\u{301}", "x.y", "other"] where chance(2) {
            for _ in 0..<(chance(40) ? 2 : 1) { members.append(json.spelled(key) + json.blank() + ":" + value(depth)) }
        }
        return "{" + members.shuffled(using: &json.random).joined(separator: json.blank() + ",") + "}"
    }
}

struct PayloadReferenceTests {
    @Test(arguments: 0..<4) func `Random payloads give the same result as one search for each root`(part: Int) {
        let count = ReferenceTests.number("MAPPINGKIT_CASES", 4000) / 4
        let first = ReferenceTests.number("MAPPINGKIT_SEED", 1) + part * count
        var (sound, failures) = (0, 0)
        for seed in first..<first + count where failures < 3 {
            var random = RandomPayload(seed)
            let example = random.next()
            let (outcome, expected) = (example.outcome(), example.slowOutcome())
            if outcome.issues.isEmpty { sound += 1 }
            guard outcome != expected else { continue }
            failures += 1
            Issue.record("seed \(seed):\n\(example)\nexpected \(expected)\nfound    \(outcome)")
        }
        #expect(failures > 0 || count < 100 || sound > count / 5)
    }
}
