/// The models of a collection, read one by one while its text arrives: memory does not grow with the text.
///
/// ```swift
/// for try await account in Account.mapping.stream(from: file, at: "accounts") { … }
/// ```
///
/// Nothing is read before the first element is requested, and no more than one window of the text (256 KB) ahead of the
/// requested element. The window grows for a larger element, up to `MappingLimits.elementByteCount`. Elements may be
/// objects of a class: they are made in the isolation of the caller.
///
/// A file is open from the first element to the last one, to an error, or until its iterator is released. The calling
/// task reads it in blocks of 256 KB, which is fast enough for a file on a disk; pass a pipe or a network connection
/// as a sequence of chunks. Each iteration of a stream over a file or over bytes starts from the beginning.
///
/// An element with issues ends the stream with a `MappingError`, unless the stream was given a closure for rejected
/// elements. Broken JSON ends it in any case, but for a line of NDJSON, which counts as an element. When the task is
/// cancelled, the next element is a `CancellationError`.
public struct MappingStream<Model>: AsyncSequence {
    /// A model.
    public typealias Element = Model
    /// A `MappingError`, a `CancellationError`, a `StreamFileError`, or an error of the source.
    public typealias Failure = any Error

    /// Bytes of the text that are in memory, as long as every element fits.
    package var windowSize: Int {
        get { configuration.windowSize }
        set { configuration.windowSize = newValue }
    }
    private var configuration: StreamConfiguration<Model>

    init(_ configuration: StreamConfiguration<Model>) { self.configuration = configuration }

    /// Begins at the first element.
    public func makeAsyncIterator() -> Iterator { Iterator(run: StreamRun(configuration)) }

    /// Reads the elements; its file is closed when it is released.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let run: StreamRun<Model>

        /// Reads the next model; nil at the end of a sound text, and after an error.
        ///
        /// - Throws: `MappingError` for an element with issues, broken JSON, and a key path that leads nowhere;
        ///   `CancellationError`; `StreamFileError`, or an error of the source.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Model? {
            // Most elements are in memory already, and an asynchronous call costs as much as reading one.
            if let model = try run.ready() { return model }
            return try await run.next(isolation: actor)
        }

        /// Reads the next model; nil at the end of a sound text, and after an error.
        public mutating func next() async throws -> Model? { try await next(isolation: nil) }
    }
}
