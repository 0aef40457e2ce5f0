/// Metadata, limits and the log of a decode.
public struct MappingOptions: Sendable {
    /// The object for the sources `.metadata("…")`.
    ///
    /// Defaults to an empty object.
    public var metadata: JSON
    /// The limits of a payload.
    public var limits: MappingLimits
    /// Whether a nonempty object that contains none of the mapped keys is an issue.
    ///
    /// Defaults to `true`. Such an object is often an error of the server, or a sign that the key path of a root is
    /// missing. It applies to a single object and to each element of a collection; not to nested objects and `{}`.
    public var requiresMappedKey: Bool
    /// Receives an event for each decoding step.
    ///
    /// Defaults to `nil`.
    ///
    /// It is called on the decoding thread, before the call returns.
    public var log: (@Sendable (MappingEvent) -> Void)?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - metadata: The object for the sources `.metadata("…")`. Defaults to an empty object.
    ///   - limits: The limits of a payload. Defaults to `MappingLimits()`.
    ///   - requiresMappedKey: Whether each object must have a mapped key. Defaults to `true`.
    ///   - log: Receives an event for each decoding step. Defaults to `nil`.
    public init(
        metadata: JSON = [:], limits: MappingLimits = MappingLimits(), requiresMappedKey: Bool = true,
        log: (@Sendable (MappingEvent) -> Void)? = nil
    ) {
        self.metadata = metadata
        self.limits = limits
        self.requiresMappedKey = requiresMappedKey
        self.log = log
    }

    /// Receives the events of a decode: ``log``, and the log of the process; `nil` if both are off.
    var eventHandler: (@Sendable (MappingEvent) -> Void)? {
        guard LogMessage.isEnabled(.error) else { return log }
        return { [log] event in
            log?(event)
            LogMessage.log(.objectMapping, event.level, event.description)
        }
    }

    /// Creates options with metadata from plain values.
    ///
    /// ```swift
    /// MappingOptions(metadata: ["url": url, "page": 2, "tags": ["a", "b"]])
    /// ```
    ///
    /// - Parameters:
    ///   - metadata: The values for the sources `.metadata("…")`, by key.
    ///   - limits: Limits of a payload. Defaults to `MappingLimits()`.
    ///   - requiresMappedKey: Whether each object must have a mapped key. Defaults to `true`.
    ///   - log: Receives an event for each decoding step. Defaults to `nil`.
    public init(
        metadata: [String: any JSONConvertible], limits: MappingLimits = MappingLimits(),
        requiresMappedKey: Bool = true, log: (@Sendable (MappingEvent) -> Void)? = nil
    ) {
        self.init(
            metadata: .members(metadata) { $0.json }, limits: limits, requiresMappedKey: requiresMappedKey, log: log)
    }
}

/// The limits of a payload; exceeding one is reported as an issue.
///
/// Strings and keys have no separate limit: their memory is bounded by their size in the payload.
public struct MappingLimits: Sendable, Hashable {
    /// The maximum nesting of arrays and objects.
    ///
    /// Defaults to 512; the maximum is 1,024.
    ///
    /// A thread with a small stack supports fewer levels: deeper values are issues as well.
    public var depth: Int { didSet { depth = min(depth, MappingLimits.largestDepth) } }
    /// The maximum length of a payload in bytes.
    ///
    /// Defaults to 1 GiB.
    public var byteCount: Int
    /// The maximum number of elements that `mapAll` reads.
    ///
    /// Defaults to 10 million.
    public var elementCount: Int
    /// The maximum length of an element in bytes.
    ///
    /// Defaults to 512 MiB.
    ///
    /// Exceeding it is an issue of the element.
    public var elementByteCount: Int
    /// The maximum number of reported issues per payload, and per skipped element.
    ///
    /// Defaults to 10,000.
    ///
    /// One more issue contains the number of unreported issues.
    public var issueCount: Int { didSet { issueCount = max(1, issueCount) } }

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - depth: The maximum nesting of arrays and objects. Defaults to 512; the maximum is 1,024.
    ///   - byteCount: The maximum length of a payload in bytes. Defaults to 1 GiB.
    ///   - elementCount: The maximum number of elements that `mapAll` reads. Defaults to 10 million.
    ///   - elementByteCount: The maximum length of an element in bytes. Defaults to 512 MiB.
    ///   - issueCount: The maximum number of reported issues. Defaults to 10,000; the minimum is 1.
    public init(
        depth: Int = 512, byteCount: Int = 1 << 30, elementCount: Int = 10_000_000, elementByteCount: Int = 512 << 20,
        issueCount: Int = 10_000
    ) {
        self.depth = min(depth, MappingLimits.largestDepth)
        self.byteCount = byteCount
        self.elementCount = elementCount
        self.elementByteCount = elementByteCount
        self.issueCount = max(1, issueCount)
    }

    /// The default limit of nesting.
    package static var usualDepth: Int { 512 }
    /// The maximum limit of nesting.
    package static var largestDepth: Int { 1024 }
}
