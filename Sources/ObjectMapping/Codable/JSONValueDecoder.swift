/// Decodes `Decodable` types of a JSON value: kinds strictly as `JSONDecoder` has them, but dates, data, URLs and
/// decimals as the library converts them.
struct JSONValueDecoder: Decoder {
    let json: JSON
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]

    init(_ json: JSON, at codingPath: [any CodingKey] = [], userInfo: [CodingUserInfoKey: Any] = [:]) {
        self.json = json
        self.codingPath = codingPath
        self.userInfo = userInfo
    }

    /// The value of a type that a JSON value spells.
    static func value<Value: Decodable>(of json: JSON) throws -> Value { try JSONValueDecoder(json).decode() }

    /// The decoder of a value within this one.
    func below(_ key: any CodingKey, _ json: JSON) -> JSONValueDecoder {
        JSONValueDecoder(json, at: codingPath + [key], userInfo: userInfo)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let object = json.object else { throw mismatch("an object", [String: Any].self) }
        return KeyedDecodingContainer(JSONKeyedDecoding(decoder: self, object: object))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = json.array else { throw mismatch("an array", [Any].self) }
        return JSONUnkeyedDecoding(decoder: self, elements: elements)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { JSONSingleDecoding(decoder: self) }

    // MARK: Values

    func decode<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
        switch Value.self {
        case is Date.Type, is Data.Type, is URL.Type, is Decimal.Type:
            if let type = Value.self as? any JSONConvertible.Type { return try converted(by: type) }
        default: break
        }
        do {
            return try Value(from: self)
        } catch DecodingError.dataCorrupted(let context)
            where context.underlyingError == nil && context.codingPath.count == codingPath.count
        {
            // An enum without such a case, as a rule: what is wrong is known only here.
            throw corrupted(
                ConversionFailure(
                    .invalidValue, at: codingPath.steps, expected: "\(Value.self)",
                    found: "\(json.kindName) that is no \(Value.self)",
                    suggestions: json.string.map { nearestNames(to: $0, among: rawTexts(of: Value.self)) } ?? []))
        }
    }

    private func converted<Value: Decodable, Convertible: JSONConvertible>(by _: Convertible.Type) throws -> Value {
        if !json.isNull, let value = Convertible(json: json) as? Value { return value }
        var failure = Convertible.failure(of: json)
        if json.isNull { failure.found = json.kindName }
        failure.path = codingPath.steps
        throw failure.kind == .typeMismatch
            ? DecodingError.typeMismatch(Value.self, context(failure)) : corrupted(failure)
    }

    /// A value that an accessor of `JSON` gets.
    func scalar<Value>(_ expected: String, _ value: Value?) throws -> Value {
        guard let value else { throw mismatch(expected, Value.self) }
        return value
    }

    func integer<Value: FixedWidthInteger>() throws -> Value {
        if let value = json.integer(Value.self) { return value }
        guard json.isNumber else { throw mismatch("an integer", Value.self) }
        let isFraction = NumberText(json.text).exponent < 0
        throw corrupted(
            ConversionFailure(
                isFraction ? .fraction : .outOfRange, json.kindName,
                expected: isFraction || Value.self == Int.self
                    ? "an integer" : "an integer from \(Value.min) to \(Value.max)"
            ).at(codingPath))
    }

    func double() throws -> Double {
        if let value = json.double { return value }
        guard json.isNumber else { throw mismatch("a number", Double.self) }
        throw corrupted(ConversionFailure(.outOfRange, json.kindName, expected: "a number").at(codingPath))
    }

    func float() throws -> Float {
        let value = Float(try double())
        if value.isFinite { return value }
        throw corrupted(ConversionFailure(.outOfRange, json.kindName, expected: "a number").at(codingPath))
    }

    // MARK: Errors

    func mismatch(_ expected: String, _ type: Any.Type) -> DecodingError {
        let failure = ConversionFailure(
            .typeMismatch, at: codingPath.steps, expected: expected, found: json.kindName)
        return json.isNull ? .valueNotFound(type, context(failure)) : .typeMismatch(type, context(failure))
    }

    private func corrupted(_ failure: ConversionFailure) -> DecodingError { .dataCorrupted(context(failure)) }

    func context(_ failure: ConversionFailure) -> DecodingError.Context {
        DecodingError.Context(
            codingPath: codingPath, debugDescription: "expected \(failure.expected), found \(failure.found)",
            underlyingError: failure)
    }
}

extension ConversionFailure {
    fileprivate func at(_ codingPath: [any CodingKey]) -> ConversionFailure {
        var copy = self
        copy.path = codingPath.steps
        return copy
    }
}
