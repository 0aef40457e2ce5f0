/// What a decode is given beside the payload.
public struct MappingOptions: Sendable {
    /// The object that the sources `.metadata("…")` read, empty by default.
    public var metadata: JSON
    /// Bounds that a payload must keep.
    public var limits: MappingLimits
    /// Whether `map` throws for an object that has members, but none of the mapped keys.
    ///
    /// Defaults to `true`. Such an object is often an error of the server, or the key path of a root is missing. It applies to the object at the
    /// top of a payload and to a root that is one object; not to elements of lists, nested objects and `{}`.
    public var requiresMappedKey: Bool
    /// Is told what a decode does; nil, the default, for nobody.
    ///
    /// It is called on the thread that decodes, before the call returns.
    public var log: (@Sendable (MappingEvent) -> Void)?

    /// Options with defaults.
    ///
    /// - Parameters:
    ///   - metadata: What the sources `.metadata("…")` read, an object.
    ///   - limits: Bounds that a payload must keep.
    ///   - requiresMappedKey: Whether `map` throws for an object that has none of the mapped keys. Defaults to `true`.
    ///   - log: Is told what a decode does.
    public init(
        metadata: JSON = [:], limits: MappingLimits = MappingLimits(), requiresMappedKey: Bool = true,
        log: (@Sendable (MappingEvent) -> Void)? = nil
    ) {
        self.metadata = metadata
        self.limits = limits
        self.requiresMappedKey = requiresMappedKey
        self.log = log
    }

    /// Options with metadata of plain values.
    ///
    /// ```swift
    /// MappingOptions(metadata: ["url": url, "page": 2, "tags": ["a", "b"]])
    /// ```
    ///
    /// - Parameters:
    ///   - metadata: The values that the sources `.metadata("…")` read, by their keys.
    ///   - limits: Limits of a payload. Defaults to `MappingLimits()`.
    ///   - requiresMappedKey: Whether `map` throws for an object that has none of the mapped keys. Defaults to `true`.
    ///   - log: Receives an event for each decoding step. Defaults to `nil`.
    public init(
        metadata: [String: any JSONConvertible], limits: MappingLimits = MappingLimits(),
        requiresMappedKey: Bool = true, log: (@Sendable (MappingEvent) -> Void)? = nil
    ) {
        self.init(
            metadata: .members(metadata) { $0.json }, limits: limits, requiresMappedKey: requiresMappedKey, log: log)
    }
}

/// Bounds that a payload must keep; one that breaks them is an issue, never a crash.
///
/// Nothing else needs a bound of its own: the longest text, number or key takes no more memory than it has bytes.
public struct MappingLimits: Sendable, Hashable {
    /// How deep arrays and objects may nest; 512 by default, at most 1,024.
    ///
    /// A thread with a small stack holds fewer levels: a value that is nested too deeply for it is an issue as well.
    public var depth: Int { didSet { depth = min(depth, MappingLimits.largestDepth) } }
    /// Bytes of a payload; 1 GiB by default.
    public var byteCount: Int
    /// Elements of the collection that `mapAll` reads; 10 million by default.
    public var elementCount: Int
    /// Bytes of one element of that collection; 512 MiB by default.
    ///
    /// A longer one is an issue of the element.
    public var elementByteCount: Int
    /// How many issues are told of one payload, and of one element that is left out; 10,000 by default.
    ///
    /// One more says how many there are besides.
    public var issueCount: Int { didSet { issueCount = max(1, issueCount) } }

    /// Limits with safe defaults.
    ///
    /// - Parameters:
    ///   - depth: How deep arrays and objects may nest; more than 1,024 is taken as 1,024.
    ///   - byteCount: Bytes of a payload.
    ///   - elementCount: Elements of the collection that `mapAll` reads.
    ///   - elementByteCount: Bytes of one of them.
    ///   - issueCount: How many issues are told; less than 1 is taken as 1.
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

    /// How deep JSON may nest where nobody set a limit.
    package static var usualDepth: Int { 512 }
    /// How deep it may nest at all.
    package static var largestDepth: Int { 1024 }
}
