import Synchronization

extension Exchange {
    /// Returns the adapters for a hop; they are called for the origin of the request only.
    func adapters(for hop: TransportRequest) -> [any RequestAdapter] {
        guard !request.adapters.isEmpty, let origin = request.url?.absoluteURL, hop.url.isSameOrigin(as: origin)
        else { return [] }
        return request.adapters
    }

    /// Calls the adapters and sends the request that they return.
    func adapt(_ hop: TransportRequest, by adapters: [any RequestAdapter], at now: Duration) {
        let isOver = state.withLock { state in
            guard state.outcome == nil else { return true }
            state.beginHop(hop, nil, at: now)
            state.original = hop
            state.phase = .preparing
            return false
        }
        if isOver { return }
        let adaptation = Adaptation { [self] in didAdapt($0) }
        // The task may have finished before it is stored here; the state then still expects its result.
        state.withLock { if $0.outcome == nil { $0.task = adaptation } }
        adaptation.start(hop, by: adapters)
        if state.withLock({ $0.outcome != nil }) { adaptation.cancel() }
    }

    private func didAdapt(_ result: Result<TransportRequest, TransportFailure>) {
        switch result {
        case .failure(let failure): transportDidFinish(failure)
        case .success(let adapted):
            let isCurrent = state.withLock { state in
                guard state.outcome == nil, state.followUp == nil else { return false }
                state.task = nil
                return true
            }
            if isCurrent { sendAdapted(adapted, at: Watchdog.shared.now) } else { transportDidFinish(nil) }
        }
    }
}

/// The running adapters of a request.
private final class Adaptation: TransportTask {
    private struct State {
        var task: Task<Void, Never>?
        var completion: (@Sendable (Result<TransportRequest, TransportFailure>) -> Void)?
    }

    private let state: Mutex<State>

    init(_ completion: @escaping @Sendable (Result<TransportRequest, TransportFailure>) -> Void) {
        state = Mutex(State(completion: completion))
    }

    func start(_ hop: TransportRequest, by adapters: [any RequestAdapter]) {
        let task = Task {
            var adapted = hop
            for adapter in adapters {
                do throws(TransportFailure) { adapted = try await adapter.adapted(adapted) } catch {
                    return end(.failure(error))
                }
            }
            end(.success(adapted))
        }
        state.withLock { if $0.completion != nil { $0.task = task } }
    }

    /// Ends immediately, because an adapter can ignore cancellation.
    func cancel() {
        let task = state.withLock { $0.task.take() }
        task?.cancel()
        end(.failure(TransportFailure(.cancelled, "the request was cancelled")))
    }

    func resume() {}

    private func end(_ result: Result<TransportRequest, TransportFailure>) {
        let completion = state.withLock { state in
            state.task = nil
            return state.completion.take()
        }
        completion?(result)
    }
}

extension RequestAdapter {
    /// Returns the request of the adapter, validated like the request of the caller.
    fileprivate func adapted(_ request: TransportRequest) async throws(TransportFailure) -> TransportRequest {
        var adapted: TransportRequest
        do {
            adapted = try await adapt(request)
        } catch let error as RequestError {
            throw TransportFailure(error.kind, "\(type(of: self)) failed: \(error.cause)", underlying: error)
        } catch {
            throw TransportFailure(.adaptationFailed, "\(type(of: self)) failed: \(error)", underlying: error)
        }
        guard adapted.url.isSameOrigin(as: request.url) else {
            throw TransportFailure(
                .adaptationFailed,
                "\(type(of: self)) returned a request for '\(adapted.url.originKey)'; an adapter must not change the "
                    + "origin '\(request.url.originKey)'")
        }
        try adapted.recheck()
        return adapted
    }
}
