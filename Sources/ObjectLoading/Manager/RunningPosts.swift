import Synchronization

/// The calls of `post` that are running, whose outcome other calls with the same object share.
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
            return [.object(ObjectIdentifier(object))] + (id.isTemporary ? [] : [.row(id)])
        }
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
            if let call = keys.compactMap({ state.calls[$0] }).first {
                let (outcomes, continuation) = AsyncStream.makeStream(of: Outcome?.self)
                state.waiting[call, default: []].append(continuation)
                return .other(outcomes)
            }
            state.lastCall += 1
            for key in keys { state.calls[key] = state.lastCall }
            return .first(state.lastCall)
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
