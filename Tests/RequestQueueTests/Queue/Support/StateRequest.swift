@testable import RequestQueue

/// A request as the state of a queue sees it: nothing but a number.
struct StateRequest: Identifiable, Sendable {
    let id: Int

    var policy: BackgroundPolicy { BackgroundPolicy.allCases[id % 4] }
}

extension RESTResponse {
    static var plain: RESTResponse {
        RESTResponse(status: 200, headers: [:], body: Data(), url: URL(fileURLWithPath: "/"), redirects: 0)
    }
}

extension Result<RESTResponse, RequestError> {
    static var unsent: Self { .failure(RequestError(.connectionFailed, "no network")) }
}

extension QueueState<StateRequest>.Effect {
    /// The effect as a word and the request's number.
    var text: String {
        switch self {
        case .wasSuspended(let reason): "suspended \(reason)"
        case .wasUnsuspended(let reason): "unsuspended \(reason)"
        case .didBeginLoading: "begin"
        case .didFinishLoading: "end"
        case .start(let request, _): "start \(request.id)"
        case .sendAgain(let request): "again \(request.id)"
        case .finish(let request, _): "finish \(request.id)"
        case .cancel(let request, let wasLoading): "\(wasLoading ? "stop" : "drop") \(request.id)"
        case .putBack(let request): "back \(request.id)"
        case .holdFailure(let request, _): "hold \(request.id)"
        case .awaitLink(let change): "await \(change)"
        }
    }
}

extension QueueState<StateRequest> {
    static func running(limit: Int) -> Self { Self(limit: limit, suspensionReasons: []) }

    mutating func add(_ ids: Int..., priority: RequestQueue.Priority = .normal) {
        for id in ids { add(StateRequest(id: id), priority: priority) }
    }

    /// The attempt of a request that is loading, or the last one of a request that waits; 0 before the first attempt.
    func attempt(of id: Int) -> Int { loading[id]?.attempt ?? waiting[id]?.attempt ?? 0 }

    /// Ends the attempt of a request with a response.
    mutating func finish(_ id: Int) { finish(id, attempt: attempt(of: id), .success(.plain)) }

    /// Ends the attempt of a request that found no connection.
    mutating func failUnsent(_ id: Int) { finish(id, attempt: attempt(of: id), .unsent, isUnsent: true) }

    mutating func settle(_ id: Int) { settle(id, attempt: attempt(of: id)) }

    /// Returns a request that is loading to its position.
    mutating func putBack(_ id: Int) { putBack(id, attempt: attempt(of: id)) }

    /// Enters the background, each request with the policy of its number, which its exchange applies.
    mutating func enterBackground() {
        suspend(for: .background)
        for request in loading.values.map(\.request).sorted(by: { $0.id < $1.id }) {
            switch request.policy {
            case .none, .continue: break
            case .cancel: cancel(request.id)
            case .requeue: putBack(request.id)
            }
        }
    }

    /// The effects since they were asked for last.
    mutating func told() -> [String] { takeEffects().map(\.text) }
}
