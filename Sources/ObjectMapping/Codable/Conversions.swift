/// Selects the conversion of a `Codable` type, for types that are not `JSONConvertible`: `Attribute("size", \.size,
/// using: .codable)`.
public enum CodableConversion: Sendable {
    /// Uses the `Codable` conformance, with the kinds of values that `JSONDecoder` accepts; dates, data, URLs and
    /// decimals are read and written like attributes of these types.
    case codable
}

extension Conversion where Value: Codable & SendableMetatype {
    /// Creates the conversion of a `Codable` type.
    @usableFromInline init(_: CodableConversion) {
        self.init { json in
            do {
                // For nested optionals, the outer one would read null.
                let value: Value = try json.decoded()
                return value
            } catch {
                throw ConversionFailure(error, in: json, as: "\(Value.self)")
            }
        } write: { value in
            do {
                return try JSONValueEncoder.json(of: value)
            } catch {
                throw ConversionFailure(error, encoding: Value.self)
            }
        }
        acceptsNull = Value.self is any ExpressibleByNilLiteral.Type
    }
}

extension JSONConvertible where Self: Codable {
    /// Decodes the value with its `Codable` conformance; dates, data, URLs and decimals are read like attributes of
    /// these types.
    public init?(json: JSON) {
        do {
            self = try json.decoded()
        } catch {
            CodingFailure.note(ConversionFailure(error, in: json, as: "\(Self.self)"))
            return nil
        }
    }

    /// The value encoded with its `Codable` conformance; null if that fails.
    public var json: JSON {
        do {
            return try JSONValueEncoder.json(of: self)
        } catch {
            CodingFailure.note(ConversionFailure(error, encoding: Self.self))
            return .null
        }
    }
}

// The raw values of an enum have precedence over its `Codable` conformance.
extension JSONConvertible where Self: RawRepresentable & Codable, RawValue: JSONConvertible {
    /// The case with this raw value.
    public init?(json: JSON) {
        guard let raw = RawValue(json: json) else { return nil }
        self.init(rawValue: raw)
    }

    /// The raw value.
    public var json: JSON { rawValue.json }
}

extension JSONConvertible {
    /// Returns the value as JSON; throws an error if a `Codable` type cannot be encoded.
    func encodedJSON() throws -> JSON {
        guard Self.self is any Encodable.Type else { return json }
        var json = JSON.null
        if let failure = CodingFailure.noted(during: { json = self.json }) { throw failure }
        return json
    }
}

extension JSON {
    /// Decodes a `Decodable` type; dates, data, URLs and decimals are read like attributes of these types.
    ///
    /// - Throws: `ConversionFailure`, or any error of the types.
    func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        let tape = try DecodingTape.read(self, .attributes)
        do {
            return try TapeDecoder(tape).decode(type)
        } catch let error as DecodingError {
            guard let context = error.context, let tapeError = context.underlyingError as? TapeError else {
                throw error
            }
            // An error from a decoder of another value, which was stored, has no path in this value.
            throw tapeError.failure(at: tapeError.tape === tape ? context.codingPath.steps : [])
        }
    }
}
