import Synchronization

extension RequestQueue {
    /// The events of a queue since the sequence was created; it ends when the queue is released.
    ///
    /// Events are buffered until they are read; of several progress events of a request only the latest is kept. An unread
    /// sequence therefore retains all outcomes with their responses until it is released. Two loops over one sequence
    /// divide its events between them; to receive all events in both, read ``RequestQueue/events`` twice.
    public struct Events: AsyncSequence, Sendable {
        let subscription: EventSubscription

        /// Creates an iterator over the unread events.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscription: subscription) }

        /// An iterator over the events of a queue.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let subscription: EventSubscription

            /// The next event; nil after the queue's end, or if the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
                await subscription.buffer.next(isolation: actor)
            }
        }
    }
}
