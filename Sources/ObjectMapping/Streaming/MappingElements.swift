/// The models of a collection, read one by one by synchronous code; `MappingStream` is its asynchronous counterpart.
///
/// ```swift
/// let accounts = Account.mapping.elements(of: file, at: "accounts")
/// while let account = try accounts.next() { … }
/// ```
///
/// The text is read a window (256 KB) at a time, from the first call of `next` on. A file is closed after the last
/// element, after an error, or when this object is released.
public final class MappingElements<Model> {
    private let run: StreamRun<Model>

    init(_ configuration: StreamConfiguration<Model>) { run = StreamRun(configuration) }

    /// Reads the next model; nil at the end of a sound text, and after an error.
    ///
    /// - Throws: `MappingError` for an element with issues, broken JSON, and a key path that leads nowhere;
    ///   `StreamFileError`; `CancellationError` in a task that is cancelled.
    public func next() throws -> Model? { try run.next() }
}

extension Mapping {
    /// The models of the objects of a collection in a file, read one by one.
    ///
    /// - Parameters:
    ///   - file: URL of a file.
    ///   - keyPath: The key path of the collection. Defaults to the text itself.
    ///   - shape: How the elements are arranged. Defaults to `.line` for files that end in `.ndjson` or `.jsonl` and to
    ///     `.element` for others.
    ///   - session: Shares objects among elements and with other texts, which takes memory for each object that has an
    ///     identity. By default each element has a separate session, in which its connections are made.
    ///   - options: Limits, metadata and the log.
    ///   - rejecting: Receives each element with issues, which is left out; an error that it throws ends the reading.
    ///     Defaults to `nil`: the first such element ends the reading.
    public func elements(
        of file: URL, at keyPath: JSONKeyPath = "", each shape: ElementShape? = nil, in session: MappingSession? = nil,
        options: MappingOptions = MappingOptions(), rejecting: ((RejectedElement) throws -> Void)? = nil
    ) -> MappingElements<Model> {
        MappingElements(configuration(.file(file), at: keyPath, each: shape ?? file.shape, session, options, rejecting))
    }

    /// The models of the objects of a collection in memory, made one by one.
    ///
    /// - Parameters:
    ///   - bytes: `Data` or `[UInt8]`.
    ///   - keyPath: The key path of the collection. Defaults to the text itself.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line.
    ///   - session: Shares objects among elements and with other texts, which takes memory for each object that has an
    ///     identity. By default each element has a separate session, in which its connections are made.
    ///   - options: Limits, metadata and the log.
    ///   - rejecting: Receives each element with issues, which is left out; an error that it throws ends the reading.
    ///     Defaults to `nil`: the first such element ends the reading.
    public func elements(
        of bytes: some ContiguousBytes, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        in session: MappingSession? = nil, options: MappingOptions = MappingOptions(),
        rejecting: ((RejectedElement) throws -> Void)? = nil
    ) -> MappingElements<Model> {
        MappingElements(
            configuration(.bytes { MemoryByteSource(bytes) }, at: keyPath, each: shape, session, options, rejecting))
    }
}
