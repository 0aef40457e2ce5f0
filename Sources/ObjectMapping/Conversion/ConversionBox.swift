/// Converts JSON values with a conversion.
final class ConversionBox<Value>: TypedBox<Value> {
    private let conversion: Conversion<Value>

    override var expectation: String { conversion.expectation }

    init(_ conversion: Conversion<Value>) {
        self.conversion = conversion
        super.init()
    }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        guard let end = reader.skip(place) else { return .broken }
        if place.isNull, !conversion.acceptsNull {
            reader.note(.typeMismatch, at: place, entry.pointee.rule, conversion.expectation, "null")
            return .skipped(end)
        }
        guard let json = try? JSON(reader.stretch(place, end), maximumDepth: reader.nesting.limit) else {
            return .broken
        }
        do {
            memory.initialize(as: Value.self, to: try conversion.value(of: json))
            return .made(end)
        } catch {
            reader.note(error, json, from: place, to: end, entry.pointee.rule)
            return .skipped(end)
        }
    }
}

/// Converts JSON values with a `JSONConvertible` type.
final class ConvertibleBox<Value: JSONConvertible>: TypedBox<Value> {
    override var expectation: String { Value.expectation }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        guard let end = reader.skip(place),
            let json = try? JSON(reader.stretch(place, end), maximumDepth: reader.nesting.limit)
        else { return .broken }
        guard let value = Value(json: json) else {
            reader.note(Value.failure(of: json), json, from: place, to: end, entry.pointee.rule)
            return .skipped(end)
        }
        memory.initialize(as: Value.self, to: value)
        return .made(end)
    }
}

/// The reason why a value was not converted: an issue without its position.
struct ConversionFailure: Error {
    /// The path in the value.
    var path: [JSONPathStep] = []
    var kind: MappingIssue.Kind
    var expected: String
    var found: String
    /// The key that is absent from the object at `path`.
    var missingKey: String?
    var suggestions: [String] = []

    init(
        _ kind: MappingIssue.Kind, at path: [JSONPathStep] = [], expected: String, found: String,
        suggestions: [String] = []
    ) {
        self.kind = kind
        self.path = path
        self.expected = expected
        self.found = found
        self.suggestions = suggestions
    }

    /// The failure of a value that exceeds the stack.
    static func noStack(at path: [JSONPathStep] = []) -> ConversionFailure {
        ConversionFailure(.limit, at: path, expected: StackRoom.expected, found: StackRoom.found)
    }

    /// The failure of a key that is absent from an object.
    init(missing key: String, at path: [JSONPathStep], in object: JSONObject?) {
        self.init(
            .missing, at: path, expected: "the key '\(key)'", found: "no such key",
            suggestions: nearestNames(to: key, among: (object?.keys ?? []).prefix(100)))
        missingKey = key
    }
}

extension PlanReader {
    /// Adds the issue of a value that was not converted.
    ///
    /// - Parameters:
    ///   - json: The value.
    ///   - end: The end of the value.
    @inline(never) mutating func note(
        _ failure: ConversionFailure, _ json: JSON, from place: Bytes, to end: Bytes, _ rule: Int32
    ) {
        var finding = finding(failure.kind, at: place, rule, failure.expected, failure.found)
        (finding.suggestions, finding.value) = (failure.suggestions, excerpt(place))
        if let key = failure.missingKey { finding.below = [.key(key)] }
        if !failure.path.isEmpty {
            finding.move(
                by: JSONTokenizer.offset(ofNearest: failure.path, in: stretch(place, end)), hasPlaces: hasPlaces)
            let text = json.value(at: failure.path).text
            finding.value = text.count > 60 ? "\(text.prefix(60))…" : text
        }
        findings.append(finding)
    }
}

extension JSON {
    /// Returns the value at a path; absent if the path does not exist.
    func value(at path: some Sequence<JSONPathStep>) -> JSON {
        path.reduce(self) { json, step in
            switch step {
            case .key(let key): json[key]
            case .index(let index): json[index]
            }
        }
    }
}
