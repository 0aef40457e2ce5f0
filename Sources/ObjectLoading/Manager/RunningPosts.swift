import Synchronization

/// The calls that send an object and are running: the others with the same object wait, and share the outcome of a `post`.
final class RunningPosts: Sendable {
    typealias Outcome = Result<LoadResult, any Error>

    /// Identifies an object, also before it has a row, and a row in several contexts.
    enum Key: Hashable, Sendable {
        case object(ObjectIdentifier)
        case row(ObjectID)
        /// All unsent objects.
        case unsent

        /// The keys of an object.
        static func keys(of object: ManagedObject) -> [Key] {
            let id = object.managed.id
            return [.object(ObjectIdentifier(object)), .row(id)]
        }

        /// The key of the row, which an object that was new may have received since.
        var saved: Key { if case .row(let id) = self { .row(id.saved) } else { self } }
    }

    private struct State {
        /// The calls by the keys of their objects.
        var calls: [Key: Int] = [:]
        /// The calls that wait for a call.
        var waiting: [Int: [AsyncStream<Outcome?>.Continuation]] = [:]
        var lastCall = 0
    }

    private let state = Mutex(State())

    /// A call, or the outcome of an earlier one.
    enum Turn {
        case first(Int)
        /// The outcome is `nil` if the other call was cancelled.
        case other(AsyncStream<Outcome?>)
    }

    /// Begins a call with an object, unless one is running.
    func begin(_ keys: [Key]) -> Turn {
        state.withLock { state in
            let known = Set(keys + keys.map(\.saved))
            if let call = state.calls.first(where: { known.contains($0.key) || known.contains($0.key.saved) })?.value {
                let (outcomes, continuation) = AsyncStream.makeStream(of: Outcome?.self)
                state.waiting[call, default: []].append(continuation)
                return .other(outcomes)
            }
            state.lastCall += 1
            for key in keys { state.calls[key] = state.lastCall }
            return .first(state.lastCall)
        }
    }

    /// Begins a call after the others with the same object; `nil` if the task is cancelled meanwhile.
    nonisolated(nonsending) func beginAfterOthers(_ keys: [Key]) async -> Int? {
        while true {
            switch begin(keys) {
            case .first(let call): return call
            case .other(let outcomes):
                for await _ in outcomes {}
                if Task.isCancelled { return nil }
            }
        }
    }

    /// Ends a call, and those that wait for it.
    func end(_ call: Int, _ outcome: Outcome?) {
        let waiting = state.withLock { state in
            state.calls = state.calls.filter { $0.value != call }
            return state.waiting.removeValue(forKey: call) ?? []
        }
        for continuation in waiting {
            continuation.yield(outcome)
            continuation.finish()
        }
    }
}

extension MappedRequestError {
    /// The error of a call that is cancelled while it waits for another one.
    static var cancelledWhileWaiting: MappedRequestError {
        MappedRequestError(
            RequestError(.cancelled, "the call was cancelled while another one with the same object was running"))
    }
}
