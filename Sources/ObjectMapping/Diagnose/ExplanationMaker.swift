/// Converts the trace of one element to an explanation.
struct ExplanationMaker {
    private let plan: Plan
    private let trace: Trace
    /// The element, and the position of its first byte.
    private let text: ByteView
    private let origin: TextPosition
    /// Whether the payload is text with lines.
    private let isText: Bool
    private let unread: UnreadKeys
    private let places: TracedPlaces
    private let objects: [Int: [TracedObject]]

    ///   - text: The text of the element.
    ///   - origin: The position of its first byte.
    ///   - prefix: Its path.
    init(
        _ plan: Plan, _ trace: Trace, _ text: ByteView, at origin: TextPosition,
        under prefix: [JSONPathStep], isText: Bool
    ) {
        self.plan = plan
        self.trace = trace
        self.text = text
        self.origin = origin
        self.isText = isText
        var objects: [Int: [TracedObject]] = [:]
        var stack = StackRoom()
        for object in trace.roots { Self.collect(object, &objects, &stack) }
        self.objects = objects
        unread = UnreadKeys(of: objects, trace, plan, in: text, base: origin.offset)
        places = TracedPlaces(trace, text, at: origin, under: prefix)
    }

    private static func collect(
        _ object: TracedObject, _ objects: inout [Int: [TracedObject]], _ stack: inout StackRoom
    ) {
        guard stack.hasRoom() else { return }
        if object.hasPlaces { objects[object.offset, default: []].append(object) }
        for rule in object.rules { for object in rule.objects { collect(object, &objects, &stack) } }
    }

    /// The objects of the element.
    var elements: [MappingExplanation.Object] {
        var stack = StackRoom()
        return trace.roots.map { object($0, &stack) }
    }

    /// The issues that do not belong to an object.
    var issues: [MappingIssue] { trace.rest.map { issue(trace.findings[$0]) } }

    /// The keys of the element that no rule reads, with their paths.
    var unreadKeys: [(path: [JSONPathStep], key: UnreadKeys.Key)] {
        guard !unread.keys.isEmpty else { return [] }
        let keys = unread.keys.sorted { $0.key < $1.key }
        return zip(keys, places.found(at: keys.map(\.key))).flatMap { keys, place in
            keys.value.map { (place.path + $0.steps, $0) }
        }
    }

    /// The keys of the element that no rule reads, as issues.
    var unreadKeyIssues: [MappingIssue] {
        let keys = unreadKeys.sorted { $0.key.offset < $1.key.offset }
        let places = JSONTokenizer.places(
            offsets: keys.map { $0.key.offset - origin.offset }, in: text, origin: origin)
        return zip(keys, places).map { unread, place in
            let known = unread.key.known.map { "'\($0)'" }
            let isShort = 1...12 ~= known.count
            return MappingIssue(
                kind: .unreadKey, path: unread.path.text, position: isText ? place.position : .unknown,
                expected: isShort ? "the key \(known.alternatives)" : "a mapped key", found: "an unknown key",
                suggestions: unread.key.suggestions)
        }
    }

    private func steps(_ offset: Int) -> [JSONPathStep] { places[offset]?.path ?? [] }

    private func position(_ offset: Int) -> TextPosition {
        isText ? places[offset]?.position ?? .unknown : .unknown
    }

    private func issue(_ finding: Finding) -> MappingIssue {
        plan.rules.issue(finding, at: steps(finding.offset), position(finding.offset))
    }

    private func object(_ object: TracedObject, _ stack: inout StackRoom) -> MappingExplanation.Object {
        let position = position(object.offset)
        let path = steps(object.offset).text
        var rules: [MappingExplanation.Rule] = []
        var issues: [MappingIssue] = []
        var unreadKeys: [UnreadKeys.Key] = []
        if stack.hasRoom() {
            let outline = plan.outlines[object.node.pointee.id]
            // Unread keys of an object are reported once, even if several mappings read it.
            if objects[object.offset]?.first === object { unreadKeys = unread.keys[object.offset] ?? [] }
            let findings = object.findings.map { trace.findings[$0] }
            // A value other than an object was not read by the rules.
            if object.isMade || !object.rules.isEmpty || findings.contains(where: { outline.contains($0.rule) }) {
                rules = outline.map { rule($0, of: object, &stack) }
            }
            // For a duplicate key, the last value counts, but issues of the others are kept.
            let taken = object.rules.enumerated().filter { index, rule in
                object.rules[(index + 1)...].contains { $0.number == rule.number }
            }
            let own =
                findings.filter { $0.isWarning || !outline.contains($0.rule) }
                + taken.flatMap { $0.element.allFindings }.map { trace.findings[$0] }
            issues = own.map(issue)
        } else {
            issues = [
                MappingIssue(
                    kind: .limit, path: path, position: position, expected: StackRoom.expected, found: StackRoom.found)
            ]
        }
        return MappingExplanation.Object(
            path: path, line: position.line, column: position.column,
            model: object.models.map { "\($0)" }.joined(separator: " of "), isMade: object.isMade, rules: rules,
            issues: issues,
            unreadKeys: unreadKeys.map { key in
                MappingExplanation.UnreadKey(
                    key: JSONKeyPath(components: key.steps.compactMap(\.key)).description,
                    path: (steps(object.offset) + key.steps).text,
                    suggestions: key.suggestions)
            })
    }

    private func rule(
        _ number: Int32, of object: TracedObject, _ stack: inout StackRoom
    ) -> MappingExplanation.Rule {
        // For a duplicate key, the last value counts.
        let read = object.rules.last { $0.number == number }
        let errors =
            object.findings.map { trace.findings[$0] }.filter { $0.rule == number && !$0.isWarning }
            + (read?.findings ?? []).map { trace.findings[$0] }
        // Values around the object, and metadata, have no position here.
        let isAround = plan.rules[Int(number)].source.isAround
        let offset = isAround && read?.isInPlace != true ? nil : read?.offset
        let position = offset.map(position)
        return MappingExplanation.Rule(
            rule: plan.rules[Int(number)].description, path: offset.map { steps($0).text },
            line: position?.line ?? 0, column: position?.column ?? 0, found: read?.kind?.name ?? "absent",
            outcome: outcome(read, errors), suggestions: read == nil && errors.isEmpty ? near(number, object) : [],
            objects: read?.objects.map { self.object($0, &stack) } ?? [], objectCount: read?.objectCount ?? 0,
            modelCount: read?.madeCount ?? 0,
            value: [.object, .array, .null].contains(read?.kind) ? nil : read?.value)
    }

    private func outcome(_ rule: TracedRule?, _ errors: [Finding]) -> MappingExplanation.Outcome {
        if !errors.isEmpty { return .failed(errors.map(issue)) }
        guard let rule else { return .absent }
        if !rule.notes.isEmpty { return .skipped(rule.notes.joined(separator: "; ")) }
        if rule.isCleared { return .cleared }
        if !rule.isSet { return .skipped(rule.objectCount > 0 ? "unchanged: no model created" : "unchanged") }
        return rule.conversion.map { .converted(to: $0) } ?? .set
    }

    /// Returns keys similar to the one that a rule did not find.
    private func near(_ number: Int32, _ object: TracedObject) -> [String] {
        let (start, source) = (object.offset - origin.offset, plan.rules[Int(number)].source)
        guard object.hasPlaces, text.indices.contains(start), !source.isAround, let path = source.keyPath?.plainKeys
        else { return [] }
        return ObjectKeys(text.dropFirst(start)).near(path)
    }
}

extension TracedRule {
    /// The findings, including those of nested objects.
    fileprivate var allFindings: [Int] {
        findings + objects.flatMap { object in object.findings + object.rules.flatMap(\.allFindings) }
    }
}

extension JSONKind {
    /// Returns the type to which a value of this kind was converted; `nil` if no conversion was necessary.
    func conversion(to type: Any.Type) -> String? {
        let type = (type as? any WrappingType.Type)?.wrapped ?? type
        let usual: JSONKind? =
            switch type {
            case is String.Type, is Date.Type: .string
            case is Bool.Type: .boolean
            case is any BinaryInteger.Type, is any BinaryFloatingPoint.Type, is Decimal.Type: .number
            case is any ListType.Type: .array
            default: nil
            }
        guard let usual, usual != self else { return nil }
        return (type as? any ListType.Type)?.name ?? "\(type)"
    }
}

/// An optional, whose wrapped type is read.
protocol WrappingType { static var wrapped: Any.Type { get } }
extension Optional: WrappingType { static var wrapped: Any.Type { Wrapped.self } }

/// A type that is read from an array.
private protocol ListType { static var name: String { get } }
extension Array: ListType { fileprivate static var name: String { "[\(Element.self)]" } }
extension Set: ListType { fileprivate static var name: String { "\(self)" } }

/// The paths and positions of the objects, values and findings of a traced element, which are found at the first use.
private final class TracedPlaces {
    private let trace: Trace
    private let text: ByteView
    private let origin: TextPosition
    private let prefix: [JSONPathStep]
    private lazy var places: [Int: (path: [JSONPathStep], position: TextPosition)] = {
        var offsets = Set(trace.findings.map(\.offset))
        var stack = StackRoom()
        for object in trace.roots { Self.collect(object, &offsets, &stack) }
        let sorted = offsets.sorted()
        return Dictionary(zip(sorted, found(at: sorted)), uniquingKeysWith: { first, _ in first })
    }()

    init(_ trace: Trace, _ text: ByteView, at origin: TextPosition, under prefix: [JSONPathStep]) {
        self.trace = trace
        self.text = text
        self.origin = origin
        self.prefix = prefix
    }

    subscript(offset: Int) -> (path: [JSONPathStep], position: TextPosition)? { places[offset] }

    /// Returns the places at offsets in ascending order.
    func found(at offsets: [Int]) -> [(path: [JSONPathStep], position: TextPosition)] {
        JSONTokenizer.places(offsets: offsets.map { $0 - origin.offset }, in: text, origin: origin, prefix: prefix)
    }

    private static func collect(_ object: TracedObject, _ offsets: inout Set<Int>, _ stack: inout StackRoom) {
        guard stack.hasRoom() else { return }
        offsets.insert(object.offset)
        for rule in object.rules {
            if let offset = rule.offset { offsets.insert(offset) }
            for object in rule.objects { collect(object, &offsets, &stack) }
        }
    }
}
