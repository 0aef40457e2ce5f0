/// The format of bodies: a path extension, a media type, and the conversion from and to JSON values.
///
/// ``JSONFormat`` is the default. A custom format conforms in a few lines:
///
/// ```swift
/// struct PropertyListFormat: ResourceFormat {
///     var pathExtension: String { "plist" }
///     var mimeType: String { "application/x-plist" }
///     func encode(_ attributes: JSON, root: String) throws -> Data { … }
///     func decode(_ body: Data) throws -> JSON { … }
/// }
/// ```
public protocol ResourceFormat: Sendable {
    /// The extension of paths, such as `json`.
    var pathExtension: String { get }
    /// The media type of bodies, such as `application/json`.
    var mimeType: String { get }
    /// Returns the body of a request.
    ///
    /// - Parameters:
    ///   - attributes: The attributes of a record, an object.
    ///   - root: The element name of the resource, for formats that name their root.
    func encode(_ attributes: JSON, root: String) throws -> Data
    /// Returns the value of a response's body, including its root.
    func decode(_ body: Data) throws -> JSON
}

/// JSON, with or without the element name as the root of requests.
public struct JSONFormat: ResourceFormat, Hashable {
    /// Whether bodies of requests are objects with one member for the element: `{"person": {"name": "Ann"}}`.
    public var includesRoot: Bool

    /// Creates a format with or without a root in requests.
    ///
    /// Roots of responses are always removed.
    public init(includesRoot: Bool = false) { self.includesRoot = includesRoot }

    /// `json`.
    public var pathExtension: String { "json" }
    /// `application/json`.
    public var mimeType: String { "application/json" }

    /// Returns the attributes as JSON text.
    public func encode(_ attributes: JSON, root: String) -> Data {
        (includesRoot ? JSON.object([root: attributes]) : attributes).data
    }

    /// Parses JSON text.
    public func decode(_ body: Data) throws -> JSON { try JSON(body) }
}

extension ResourceFormat where Self == JSONFormat {
    /// JSON without a root.
    public static var json: JSONFormat { JSONFormat() }
    /// JSON whose root is the element name.
    public static var jsonWithRoot: JSONFormat { JSONFormat(includesRoot: true) }
}
