extension ReachabilityObserver {
    /// The state as it is when this is read, and each change from then on, as an asynchronous sequence.
    public var changes: Changes {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ReachabilityState.self, bufferingPolicy: .bufferingNewest(Changes.capacity))
        let listener = observe { continuation.yield($0) }
        return Changes(observer: self, listener: listener, stream: stream)
    }

    /// The states of an observer from a moment on; it ends only by cancelling the task that reads.
    ///
    /// It keeps its observer watching. Who reads late finds the newest 64 states. Two loops over one sequence share its
    /// states; for all states in each, read ``ReachabilityObserver/changes`` twice.
    public struct Changes: AsyncSequence, Sendable {
        static let capacity = 64

        let observer: ReachabilityObserver
        let listener: ReachabilityListener
        let stream: AsyncStream<ReachabilityState>

        /// A reader of what was not read yet.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(changes: self, iterator: stream.makeAsyncIterator())
        }

        /// Reads states one by one.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// Keeps the observer.
            let changes: Changes
            var iterator: AsyncStream<ReachabilityState>.Iterator

            /// The next state; nil if the task is cancelled.
            public mutating func next() async -> ReachabilityState? { await iterator.next() }

            /// The next state; nil if the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> ReachabilityState? {
                await iterator.next(isolation: actor)
            }
        }
    }
}
