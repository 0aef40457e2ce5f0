import Synchronization

extension RequestQueue {
    /// The events of a queue from the moment of its making, as an asynchronous sequence; it ends with the queue.
    ///
    /// No event is lost, however late it is read; only progress is told by its newest. So a sequence that nobody reads
    /// keeps all outcomes, with their responses, until it is let go of. Two loops over one sequence share its events; for
    /// all events in each, read ``RequestQueue/events`` twice.
    public struct Events: AsyncSequence, Sendable {
        let subscription: EventSubscription

        /// A reader of what was not read yet.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscription: subscription) }

        /// Reads events one by one.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let subscription: EventSubscription

            /// The next event; nil after the queue's end, or if the task is cancelled.
            public mutating func next() async -> Event? { await subscription.buffer.next(isolation: nil) }

            /// The next event; nil after the queue's end, or if the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
                await subscription.buffer.next(isolation: actor)
            }
        }
    }
}
