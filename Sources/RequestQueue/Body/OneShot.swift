import Synchronization

/// A source that can be read only once.
///
/// `@unchecked`: the lock ensures that only one caller receives the source.
package final class OneShot<Source>: @unchecked Sendable {
    private let lock = Mutex(())
    private var source: Source?

    package init(_ source: sending Source) { self.source = source }

    /// Returns the source on the first call; throws an error of kind `bodyNotRepeatable` afterwards.
    package func take() throws(RequestError) -> Source {
        guard let source = lock.withLock({ _ in source.take() }) else {
            throw RequestError(
                .bodyNotRepeatable,
                "the stream of the body can be read only once; use a closure that creates it, or a file")
        }
        return source
    }
}
