/// The formats that a client or a seeder can read, by media type and extension.
///
/// ```swift
/// client.formats.register(PropertyListFormat())
/// let task = try await client.get("/tasks/7", as: ProjectTask.self)   // JSON, or a property list
/// ```
///
/// An exact media type takes precedence over a pattern, then the format that was registered last.
public struct PayloadFormats: Sendable {
    /// The formats, the last registered one first.
    private var formats: [any PayloadFormat]
    /// Whether JSON is the only format.
    package private(set) var isOnlyJSON = false

    /// Creates a registry.
    ///
    /// - Parameter formats: The formats; earlier ones take precedence. Defaults to JSON.
    public init(_ formats: [any PayloadFormat] = [.json]) {
        self.formats = formats
        update()
    }

    /// Adds a format, which takes precedence over the earlier ones.
    public mutating func register(_ format: some PayloadFormat) {
        formats.insert(format, at: 0)
        update()
    }

    /// Removes all formats that name a media type, such as `application/json`.
    public mutating func remove(mediaType: String) {
        formats.removeAll { $0.mediaTypes.contains(mediaType.lowercased()) }
        update()
    }

    /// Returns the format of a media type without parameters, such as `application/json`; `nil` if it is not
    /// registered.
    public func format(mediaType: String) -> (any PayloadFormat)? {
        let type = mediaType.lowercased()
        return formats.first { $0.matches(type, isExact: true) } ?? formats.first { $0.matches(type, isExact: false) }
    }

    /// Returns the format of an extension without a dot, such as `json`; `nil` if it is not registered.
    public func format(pathExtension: String) -> (any PayloadFormat)? {
        let name = pathExtension.lowercased()
        return formats.first { $0.pathExtensions.contains(name) }
    }

    /// Returns the format with a media type or an extension; `nil` if it is not registered.
    package func format(named name: String) -> (any PayloadFormat)? {
        name.contains("/") ? format(mediaType: name) : format(pathExtension: name)
    }

    /// The extensions of the formats, for messages.
    package var names: [String] { formats.compactMap(\.pathExtensions.first) }

    private mutating func update() { isOnlyJSON = formats.count == 1 && formats[0] is JSONFormat }
}
