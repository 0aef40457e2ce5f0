/// That a `Codable` type converts itself, for types that one cannot make `JSONConvertible`:
/// `Attribute("size", \.size, using: .codable)`.
public enum CodableConversion: Sendable {
    /// Kinds are taken as `JSONDecoder` takes them; dates, data, URLs and decimals are read and written as attributes of
    /// these types are.
    case codable
}

extension Conversion where Value: Codable & SendableMetatype {
    /// The conversion that a `Codable` type says of itself.
    @usableFromInline init(_: CodableConversion) {
        self.init { json in
            do {
                // Of an optional in an optional the outer one would take null for itself.
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
    /// Decodes the value as `Codable` says; dates, data, URLs and decimals as attributes of these types are read.
    public init?(json: JSON) {
        do {
            self = try json.decoded()
        } catch {
            CodingFailure.note(ConversionFailure(error, in: json, as: "\(Self.self)"))
            return nil
        }
    }

    /// Encodes the value as `Codable` says; null if that fails.
    public var json: JSON {
        do {
            return try JSONValueEncoder.json(of: self)
        } catch {
            CodingFailure.note(ConversionFailure(error, encoding: Self.self))
            return .null
        }
    }
}

// An enum with raw values goes by these, `Codable` or not.
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
    /// The value as JSON; an error where a `Codable` type cannot be encoded.
    func soundJSON() throws -> JSON {
        guard Self.self is any Encodable.Type else { return json }
        var json = JSON.null
        if let failure = CodingFailure.noted(during: { json = self.json }) { throw failure }
        return json
    }
}

extension JSON {
    /// The value of a `Decodable` type; dates, data, URLs and decimals as attributes of these types are read.
    ///
    /// - Throws: `ConversionFailure`, or any error of the types.
    func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        let tape = try DecodingTape.read(self, .attributes)
        do {
            return try TapeDecoder(tape).decode(type)
        } catch let error as DecodingError {
            guard let context = error.context, let misfit = context.underlyingError as? Misfit else { throw error }
            // The path within another value, whose decoder somebody kept, leads nowhere here.
            throw misfit.failure(at: misfit.tape === tape ? context.codingPath.steps : [])
        }
    }
}
