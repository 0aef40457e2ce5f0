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
