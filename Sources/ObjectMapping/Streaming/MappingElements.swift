/// The models of a collection, read one by one by code that does not wait: what `MappingStream` is for code that does.
///
/// ```swift
/// let accounts = Account.mapping.elements(of: file, at: "accounts")
/// while let account = try accounts.next() { … }
/// ```
///
/// The text is read a window (256 KB) at a time, from the first call of `next` on, and a file is closed behind the last
/// element, at an error, or when this goes.
public final class MappingElements<Model> {
    private let run: StreamRun<Model>

    init(_ configuration: StreamConfiguration<Model>) { run = StreamRun(configuration) }

    /// Reads the next model; nil at the end of a sound text, and after an error.
    ///
    /// - Throws: `MappingError` for an element with issues, broken JSON, and a key path that leads nowhere;
    ///   `StreamFileError`; `CancellationError` in a task that is cancelled.
    public func next() throws -> Model? { try run.next() }
}
