import Synchronization

extension Exchange {
    /// Calls the adapters of the request, for its origin only, and sends the request that they return.
    func adapt(_ number: Int) {
        let hop = state.withLock { $0.machine.isEnded ? nil : $0.hop }
        guard let hop, let origin = request.url?.absoluteURL, hop.url.isSameOrigin(as: origin) else {
            register(nil, number)
            return apply { state in
                state.original = nil
                return state.hop.map { .adapted(ExchangeMachine.Message($0)) }
            }
        }
        let adaptation = Adaptation { [self] result in
            switch result {
            case .failure(let failure): transportDidFinish(failure)
            case .success(let adapted):
                apply { state in
                    guard !state.machine.isEnded else { return nil }
                    (state.task, state.original, state.hop) = (nil, hop, adapted)
                    return .adapted(ExchangeMachine.Message(adapted))
                }
            }
        }
        adaptation.start(hop, by: request.adapters)
        register(adaptation, number)
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
        end(.failure(.cancelled))
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
