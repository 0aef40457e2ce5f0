extension JSONConvertible {
    /// What a value should be, in words.
    static var expectation: String {
        if let type = Self.self as? any FixedWidthInteger.Type, type != Int.self { return range(of: type) }
        return known.map { AttributeType($0).expectation } ?? "\(Self.self)"
    }

    /// Why `init(json:)` made nothing of a value.
    static func failure(of json: JSON) -> ConversionFailure {
        if let known {
            return ConversionFailure(scalarFailure(of: json, known), json.kindName, expected: expectation)
        }
        if Self.self is any Decodable.Type, let failure = CodingFailure.noted(during: { Self(json: json) }) {
            return failure
        }
        let isNull = json.isNull
        return ConversionFailure(
            isNull ? .typeMismatch : .invalidValue, expected: expectation,
            found: isNull ? "null" : "\(json.kindName) that is no \(Self.self)",
            suggestions: json.string.map { nearestNames(to: $0, among: rawTexts(of: Self.self)) } ?? [])
    }

    private static func range<Integer: FixedWidthInteger>(of _: Integer.Type) -> String {
        "an integer from \(Integer.min) to \(Integer.max)"
    }

    /// What the type is called where types go by names.
    private static var known: AttributeType.Scalar? {
        switch Self.self {
        case is String.Type: .string
        case is any FixedWidthInteger.Type: .integer
        case is Double.Type, is Float.Type: .double
        case is Bool.Type: .boolean
        case is Date.Type: .date
        case is Decimal.Type: .decimal
        case is UUID.Type: .uuid
        case is URL.Type: .url
        case is Data.Type: .data
        default: nil
        }
    }

    private static func scalarFailure(of json: JSON, _ known: AttributeType.Scalar) -> ScalarToken.Failure {
        let isNumeric = [.integer, .double, .decimal, .date].contains(known)
        if isNumeric, let number = json.number ?? json.spelledNumber?.number {
            return known == .integer && number.exponent < 0 ? .fraction : .outOfRange
        }
        guard json.string != nil else { return .kind }
        return switch known {
        case .uuid: .misspelt(.UUID)
        case .url: .misspelt(.URL)
        case .data: .misspelt(.base64)
        case .boolean: .misspelt(.boolean)
        case .date: .misspelt(.date)
        default: .misspelt(.number)
        }
    }
}

/// The texts that stand for the cases of an enum, if it tells them; at most 1,000.
func rawTexts(of type: Any.Type) -> [String] {
    func texts<Cases: CaseIterable>(_: Cases.Type) -> [String] {
        Cases.allCases.prefix(1000).compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
    }
    return (type as? any CaseIterable.Type).map { texts($0) } ?? []
}

extension ConversionFailure {
    /// A value of some kind that is not what a known type takes.
    init(_ failure: ScalarToken.Failure, _ kindName: String, expected: String) {
        switch failure {
        case .kind: self.init(.typeMismatch, expected: expected, found: kindName)
        case .misspelt(let noun):
            let kind = [.number, .boolean].contains(noun) ? MappingIssue.Kind.typeMismatch : .invalidValue
            self.init(kind, expected: expected, found: "a string that is no \(noun)")
        case .fraction: self.init(.lossy, expected: expected, found: "a number with a fraction")
        case .outOfRange: self.init(.outOfRange, expected: expected, found: "a number out of its range")
        }
    }
}
