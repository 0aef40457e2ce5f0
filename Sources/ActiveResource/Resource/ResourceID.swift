/// A type of identifiers: integers, texts, UUIDs, and optionals of them for records without an identifier.
public protocol ResourceID: Sendable, Hashable {
    /// The identifier as unescaped text; `nil` for a record without an identifier.
    var pathText: String? { get }
    /// Creates an identifier from a text, such as the last part of a `Location`; `nil` if it is invalid.
    init?(pathText: String)
}

extension ResourceID where Self: LosslessStringConvertible {
    /// The path component: the description of the identifier.
    public var pathText: String? { description }
    /// Creates an identifier from a path component; `nil` if the text is not valid.
    public init?(pathText: String) { self.init(pathText) }
}

extension Int: ResourceID {}
extension Int64: ResourceID {}
extension UInt64: ResourceID {}
extension String: ResourceID {}

extension UUID: ResourceID {
    /// The UUID in lowercase, like in Rails.
    public var pathText: String? { uuidString.lowercased() }
    /// Parses a UUID.
    public init?(pathText: String) { self.init(uuidString: pathText) }
}

extension Optional: ResourceID where Wrapped: ResourceID {
    /// The text of the identifier; `nil` without one.
    public var pathText: String? { self?.pathText }
    /// Parses an identifier.
    public init?(pathText: String) {
        guard let id = Wrapped(pathText: pathText) else { return nil }
        self = id
    }
}
