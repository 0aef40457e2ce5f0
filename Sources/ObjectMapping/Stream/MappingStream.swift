/// The models of a collection, created incrementally while its text is read, in bounded memory.
///
/// ```swift
/// for try await account in Account.mapping.stream(from: file, at: "accounts") { … }
/// ```
///
/// Nothing is read before the first element is requested, and not more than one window of the text (256 KB) ahead of
/// the requested element. The window grows for a larger element, up to `MappingLimits.elementByteCount`. Elements can
/// be objects of a class: they are created in the isolation of the caller.
///
/// A file is open from the first element to the last one, to an error, or until its iterator is released. The calling
/// task reads it in blocks of 256 KB, which is fast enough for a file on a disk; pass a pipe or a network connection as
/// a sequence of chunks. Each iteration of a stream over a file or over bytes starts from the beginning.
///
/// An element with issues ends the stream with a `MappingError`, unless the stream has a closure for rejected elements.
/// Invalid JSON ends it in any case, except for a line of NDJSON, which counts as an element. If the task is cancelled,
/// the next element throws a `CancellationError`.
public struct MappingStream<Model>: AsyncSequence {
    /// A model.
    public typealias Element = Model
    /// A `MappingError`, a `CancellationError`, a `StreamFileError`, or an error of the source.
    public typealias Failure = any Error

    /// The number of bytes in memory, if all elements fit.
    package var windowSize: Int {
        get { configuration.windowSize }
        set { configuration.windowSize = newValue }
    }
    private var configuration: StreamConfiguration<Model>

    /// The owner of the objects, instead of a session.
    package var dataSource: (any MappingDataSource)? {
        get { configuration.dataSource }
        set { configuration.dataSource = newValue }
    }

    init(_ configuration: StreamConfiguration<Model>) { self.configuration = configuration }

    /// Returns an iterator that starts at the first element.
    public func makeAsyncIterator() -> Iterator { Iterator(run: StreamRun(configuration)) }

    /// An iterator over the elements; its file is closed when it is released.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let run: StreamRun<Model>

        /// Returns the next model; `nil` at the end of a valid text, and after an error.
        ///
        /// - Throws: `MappingError` for an element with issues, invalid JSON, and an unresolved key path;
        ///   `CancellationError`; `StreamFileError`, or an error of the source.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Model? {
            // Most elements are already in memory, and an asynchronous call costs as much as reading one.
            if let model = try run.ready() { return model }
            return try await run.next(isolation: actor)
        }

        /// Returns the next model; `nil` at the end of a valid text, and after an error.
        public mutating func next() async throws -> Model? { try await next(isolation: nil) }
    }
}

/// The models of a collection, created incrementally by synchronous code; see also `MappingStream`.
///
/// ```swift
/// let accounts = Account.mapping.elements(of: file, at: "accounts")
/// while let account = try accounts.next() { … }
/// ```
///
/// The text is read in windows of 256 KB, starting with the first call of `next`. A file is closed after the last
/// element, after an error, or when this object is released.
public final class MappingElements<Model> {
    private let run: StreamRun<Model>

    init(_ configuration: StreamConfiguration<Model>) { run = StreamRun(configuration) }

    /// Returns the next model; `nil` at the end of a valid text, and after an error.
    ///
    /// - Throws: `MappingError` for an element with issues, invalid JSON, and an unresolved key path;
    ///   `StreamFileError`; `CancellationError` in a cancelled task.
    public func next() throws -> Model? { try run.next() }
}

extension Mapping {
    /// Returns the models of a collection in a file, which is read incrementally.
    ///
    /// - Parameters:
    ///   - file: The URL of a file.
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

    /// Returns the models of a collection in memory, which are created incrementally.
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
