extension ReachabilityObserver {
    /// The current state and all later changes, as an asynchronous sequence.
    public var changes: Changes {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ReachabilityState.self, bufferingPolicy: .bufferingNewest(Changes.capacity))
        let listener = observe { continuation.yield($0) }
        return Changes(observer: self, listener: listener, stream: stream)
    }

    /// The states of an observer after a moment; the sequence ends only when the reading task is cancelled.
    ///
    /// It retains its observer. A slow reader receives the newest 64 states. Two loops over the same sequence share its
    /// states; to receive all states in both, read ``ReachabilityObserver/changes`` twice.
    public struct Changes: AsyncSequence, Sendable {
        static let capacity = 64

        let observer: ReachabilityObserver
        let listener: ReachabilityListener
        let stream: AsyncStream<ReachabilityState>

        /// Returns an iterator over the states that were not read yet.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(changes: self, iterator: stream.makeAsyncIterator())
        }

        /// An iterator over states.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// Retains the observer.
            let changes: Changes
            var iterator: AsyncStream<ReachabilityState>.Iterator

            /// Returns the next state; `nil` if the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> ReachabilityState? {
                await iterator.next(isolation: actor)
            }
        }
    }
}
