/// A format of payloads, such as XML: its media types and extensions, and the conversion from and to JSON values.
///
/// ```swift
/// struct PropertyListFormat: PayloadFormat {
///     var mediaTypes: [String] { ["application/x-plist"] }
///     var pathExtensions: [String] { ["plist"] }
///     func decode(_ data: Data) throws -> JSON { … }
///     func encode(_ value: JSON, root: String?) throws -> Data { … }
/// }
///
/// let tasks = try ProjectTask.mapping.mapAll(Payload(data, format: PropertyListFormat()))
/// ```
///
/// ``JSONFormat`` is the default everywhere.
public protocol PayloadFormat: Sendable {
    /// The media types in lowercase, such as `application/json`; the first one is sent with bodies of this format.
    ///
    /// In the others, one `*` replaces any text, such as in `application/*+json`.
    var mediaTypes: [String] { get }
    /// The extensions of files and paths without a dot, such as `json`; the first one is used in paths.
    var pathExtensions: [String] { get }
    /// Returns the value of a payload, including its root.
    func decode(_ data: Data) throws -> JSON
    /// Returns a payload with a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - root: The name of the value, for formats that name their root; `nil` if it has none.
    func encode(_ value: JSON, root: String?) throws -> Data
}

extension PayloadFormat {
    /// The media type of bodies of this format.
    package var mediaType: String { mediaTypes.first ?? "application/octet-stream" }

    /// Whether payloads of a media type have this format.
    ///
    /// - Parameter isExact: Whether patterns are ignored.
    package func matches(_ mediaType: String, isExact: Bool) -> Bool {
        mediaTypes.contains { pattern in
            guard let star = pattern.firstIndex(of: "*") else { return pattern == mediaType }
            let (prefix, suffix) = (pattern[..<star], pattern[star...].dropFirst())
            return !isExact && mediaType.utf8.count >= prefix.utf8.count + suffix.utf8.count
                && mediaType.hasPrefix(prefix) && mediaType.hasSuffix(suffix)
        }
    }
}

/// JSON text, with or without the name of the value as the root of what is written.
public struct JSONFormat: PayloadFormat, Hashable {
    /// Whether written payloads are objects with one member for the name of the value: `{"person": {"name": "Ann"}}`.
    public var includesRoot: Bool

    /// Creates a format with or without a root in written payloads.
    public init(includesRoot: Bool = false) { self.includesRoot = includesRoot }

    /// `application/json`, and types such as `application/problem+json`.
    public var mediaTypes: [String] { ["application/json", "application/*+json"] }
    /// `json`.
    public var pathExtensions: [String] { ["json"] }

    /// Parses JSON text.
    public func decode(_ data: Data) throws -> JSON { try JSON(data) }

    /// Returns the value as JSON text.
    public func encode(_ value: JSON, root: String?) -> Data {
        guard includesRoot, let root else { return value.data }
        return JSON.object([root: value]).data
    }
}

extension PayloadFormat where Self == JSONFormat {
    /// JSON without a root.
    public static var json: JSONFormat { JSONFormat() }
    /// JSON whose root is the name of the value.
    public static var jsonWithRoot: JSONFormat { JSONFormat(includesRoot: true) }
}
