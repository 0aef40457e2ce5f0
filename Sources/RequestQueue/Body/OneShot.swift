import Synchronization

/// What can be read only once.
///
/// `@unchecked`: whoever takes it out under the lock is the only one to have it.
package final class OneShot<Source>: @unchecked Sendable {
    private let lock = Mutex(())
    private var source: Source?

    package init(_ source: sending Source) { self.source = source }

    /// Hands it over, the first time.
    package func take() throws(RequestError) -> Source {
        let source = lock.withLock { _ in
            defer { self.source = nil }
            return self.source
        }
        guard let source else {
            throw RequestError(
                .bodyNotRepeatable,
                "the body's stream was read before and can be read only once; give a function that makes it, or a file")
        }
        return source
    }
}
