/// A type by name: what a value becomes where no Swift type says it, as in a seed's manifest.
///
/// Written `"integer"`, or `"[integer]"` for a list.
public struct AttributeType: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of single values.
    public enum Scalar: String, Sendable, CaseIterable {
        /// A text.
        case string
        /// A whole number of 64 bits.
        case integer
        /// A number with a fraction, as the nearest `Double`.
        case double
        /// True or false.
        case boolean
        /// A moment: an ISO 8601 text, or seconds since 1970.
        case date
        /// A number with all its digits, at most 38.
        case decimal
        /// A UUID (RFC 9562).
        case uuid
        /// A URL or a relative reference (RFC 3986).
        case url
        /// Bytes, in base64 (RFC 4648).
        case data
        /// Any value, kept as JSON.
        case json
    }

    /// The kind of the value, or of each element of a list.
    public var scalar: Scalar
    /// Whether the value is a list.
    public var isList: Bool

    /// The type of a single value, or of a list of such.
    public init(_ scalar: Scalar, isList: Bool = false) {
        self.scalar = scalar
        self.isList = isList
    }

    /// The type with a name such as `"date"` or `"[string]"`; nil for an unknown name.
    public init?(_ name: String) {
        let isList = name.hasPrefix("[") && name.hasSuffix("]")
        guard let scalar = Scalar(rawValue: isList ? String(name.dropFirst().dropLast()) : name) else { return nil }
        self.init(scalar, isList: isList)
    }

    /// The name, as `init(_:)` takes it.
    public var description: String { isList ? "[\(scalar.rawValue)]" : scalar.rawValue }

    /// Every name that `init(_:)` knows.
    package static var names: [String] {
        Scalar.allCases.map(\.rawValue) + Scalar.allCases.map { "[\($0.rawValue)]" }
    }
}
