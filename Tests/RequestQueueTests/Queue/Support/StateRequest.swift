import RequestQueue

/// A request as the state of a queue sees it: nothing but a number.
struct StateRequest: Identifiable, Sendable {
    let id: Int
}

extension QueueState<StateRequest>.Effect {
    /// The effect as a word and the request's number.
    var text: String {
        switch self {
        case .wasSuspended(let reason): "suspended \(reason)"
        case .wasUnsuspended(let reason): "unsuspended \(reason)"
        case .didBeginLoading: "begin"
        case .didFinishLoading: "end"
        case .start(let request): "start \(request.id)"
        case .finish(let request, _): "finish \(request.id)"
        case .cancel(let request, let wasLoading): "\(wasLoading ? "stop" : "drop") \(request.id)"
        }
    }
}

extension QueueState<StateRequest> {
    static func running(limit: Int) -> Self { Self(limit: limit, suspensionReasons: []) }

    mutating func add(_ ids: Int..., priority: RequestQueue.Priority = .normal) {
        for id in ids { add(StateRequest(id: id), priority: priority) }
    }

    mutating func finish(_ id: Int) { finish(id, .failure(RequestError(.connectionLost, "gone"))) }

    /// The effects since they were asked for last.
    mutating func told() -> [String] { takeEffects().map(\.text) }
}
