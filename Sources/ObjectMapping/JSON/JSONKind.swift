/// What sort of value a JSON value is.
public enum JSONKind: String, Sendable, CaseIterable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean
    /// A number, with or without a fraction.
    case number
    /// A string.
    case string
    /// An array.
    case array
    /// An object.
    case object

    /// The kind of a sound value by its first byte.
    init(of place: Bytes) {
        self =
            switch place.pointee {
            case .openBrace: .object
            case .openBracket: .array
            case .quote: .string
            case UInt8(ascii: "n"): .null
            case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
            default: .number
            }
    }

    /// The kind of a value; that of an absent one is null.
    init(of json: JSON) { self = json.kind ?? .null }

    /// The kind with its article, for messages.
    var name: String {
        switch self {
        case .null: "null"
        case .array, .object: "an \(rawValue)"
        case .boolean, .number, .string: "a \(rawValue)"
        }
    }
}
