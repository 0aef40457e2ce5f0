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
