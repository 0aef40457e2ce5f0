import ObjectMapping

extension SwiftLiteral {
    /// Returns the literal of a default or condition in a manifest, which has the right type; `nil` for null.
    ///
    /// - Parameter isOptional: Whether the expression may be optional if it could fail: invalid values were already
    ///   reported as issues of the manifest.
    static func value(_ json: JSON, as type: AttributeType, _ types: SwiftTypes, orNil isOptional: Bool) -> String? {
        guard !json.isNull else { return nil }
        guard type.isList else { return single(json, as: type.scalar, types, orNil: isOptional) }
        let elements = (json.array ?? []).map { single($0, as: type.scalar, types, orNil: false) ?? "nil" }
        return "[\(elements.joined(separator: ", "))]"
    }

    /// Returns the initial value of a type; `nil` if the type has none.
    static func empty(_ type: AttributeType, _ types: SwiftTypes) -> String? {
        if type.isList { return "[]" }
        switch type.scalar {
        case .string: return "\"\""
        case .integer: return "0"
        case .double: return "0.0"
        case .boolean: return "false"
        case .decimal: return "\(types.name("Decimal"))(0)"
        case .data: return "\(types.name("Data"))()"
        case .json: return "\(types.name("JSON")).null"
        case .uuid: return "\(types.name("UUID"))()"
        case .date: return "\(types.name("Date")).distantPast"
        case .url: return nil
        }
    }

    private static func single(
        _ json: JSON, as scalar: AttributeType.Scalar, _ types: SwiftTypes, orNil isOptional: Bool
    ) -> String? {
        guard !json.isNull else { return nil }
        let name = types.name(scalar)
        switch scalar {
        case .string: return json.string.map(string)
        case .integer: return json.int64.map(String.init)
        case .double: return json.double.map { "\($0)" }
        case .boolean: return json.bool.map { "\($0)" }
        case .decimal: return Decimal(json: json).map { decimal($0, name, orNil: isOptional) }
        case .date: return Date(json: json).map { "\(name)(timeIntervalSince1970: \($0.timeIntervalSince1970))" }
        case .data:
            let otherwise = isOptional ? "" : " ?? \(name)()"
            return json.string.map { "\(name)(base64Encoded: \(string($0)))\(otherwise)" }
        case .json:
            let value = "try? \(name)(\(string(json.text)))"
            return isOptional ? value : "(\(value)) ?? \(name).null"
        case .url: return json.string.map { "\(name)(string: \(string($0)))" }
        case .uuid:
            return UUID(json: json).map { uuid in
                let (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) = uuid.uuid
                let bytes = [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p].map { "\($0)" }
                return "\(name)(uuid: (\(bytes.joined(separator: ", "))))"
            }
        }
    }

    /// A literal with a fraction would be converted from a `Double`.
    private static func decimal(_ value: Decimal, _ name: String, orNil isOptional: Bool) -> String {
        let text = "\(value)"
        if text.utf8.count < 18, !text.contains(".") { return "\(name)(\(text))" }
        let digits = text.filter { $0 != "." && $0 != "-" }
        let places = text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) - 1 } ?? 0
        if digits.count < 19 {
            let sign = text.hasPrefix("-") ? ".minus" : ".plus"
            let significand = Int(digits).map(String.init) ?? digits
            return "\(name)(sign: \(sign), exponent: \(-places), significand: \(significand))"
        }
        return "\(name)(string: \(string(text)))\(isOptional ? "" : " ?? 0")"
    }
}
