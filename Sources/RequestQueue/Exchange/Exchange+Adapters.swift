extension Exchange {
    /// Calls the adapters of the request, for its origin only, and sends the request that they return.
    func adapt(_ number: Int) -> Effects {
        let hop = state.withLock { $0.machine.isEnded ? nil : $0.hop }
        guard let hop, let origin = request.url?.absoluteURL, hop.url.isSameOrigin(as: origin) else {
            var effects = register(nil, number)
            effects.append(
                self.effects { state in
                    state.original = nil
                    return state.hop.map { .adapted(ExchangeMachine.Message($0)) }
                })
            return effects
        }
        let adaptation = Adaptation(of: hop, by: request.adapters) { [self] result in
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
        return register(adaptation, number)
    }
}

/// The running adapters of a request.
struct Adaptation: TransportTask {
    /// Whether the current task is that of adapters.
    @TaskLocal static var isCurrent = false

    private let completion: SingleUse<@Sendable (Result<TransportRequest, TransportFailure>) -> Void>
    private let task: Task<Void, Never>

    init(
        of hop: TransportRequest, by adapters: [any RequestAdapter],
        _ completion: @escaping @Sendable (Result<TransportRequest, TransportFailure>) -> Void
    ) {
        let completion = SingleUse(completion)
        self.completion = completion
        task = Task {
            var adapted = hop
            do throws(TransportFailure) {
                for adapter in adapters { adapted = try await adapter.adapted(adapted) }
                try? completion.take()(.success(adapted))
            } catch { try? completion.take()(.failure(error)) }
        }
    }

    /// Ends immediately, because an adapter can ignore cancellation.
    func cancel() {
        task.cancel()
        try? completion.take()(.failure(.cancelled))
    }

    func resume() {}
}

extension RequestAdapter {
    /// Returns the request of the adapter, validated like the request of the caller.
    fileprivate func adapted(_ request: TransportRequest) async throws(TransportFailure) -> TransportRequest {
        var adapted: TransportRequest
        do {
            adapted = try await Adaptation.$isCurrent.withValue(true) { try await adapt(request) }
        } catch let error as RequestError {
            throw TransportFailure(error.kind, "\(type(of: self)) failed: \(error.cause)", underlying: error)
        } catch {
            throw TransportFailure(
                .adaptationFailed, "\(type(of: self)) failed: \(causeText(of: error))", underlying: error)
        }
        guard adapted.url.isSameOrigin(as: request.url) else {
            throw TransportFailure(
                .adaptationFailed,
                "\(type(of: self)) returned a request for '\(adapted.url.originKey)'; an adapter must not change the "
                    + "origin '\(request.url.originKey)'")
        }
        try adapted.check()
        return adapted
    }
}
