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
        guard sender.adapterCount < Adaptation.depthLimit else {
            var effects = register(nil, number)
            effects.append(
                self.effects(
                    .failed(
                        TransportFailure(
                            .adaptationFailed,
                            "the adapter sends a request that it adapts itself; send it with a client without the "
                                + "adapter"))))
            return effects
        }
        let adaptation = Adaptation(of: hop, by: request.adapters, from: sender) { [self] result in
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
    /// The number of adapters that may send requests for each other.
    static let depthLimit = 8

    private let completion: SingleUse<@Sendable (Result<TransportRequest, TransportFailure>) -> Void>
    private let task: Task<Void, Never>

    init(
        of hop: TransportRequest, by adapters: [any RequestAdapter], from sender: UserCalls,
        _ completion: @escaping @Sendable (Result<TransportRequest, TransportFailure>) -> Void
    ) {
        let completion = SingleUse(completion)
        self.completion = completion
        task = Task {
            var adapted = hop
            do throws(TransportFailure) {
                for adapter in adapters { adapted = try await adapter.adapted(adapted, from: sender) }
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
    fileprivate func adapted(
        _ request: TransportRequest, from sender: UserCalls
    ) async throws(TransportFailure) -> TransportRequest {
        let prefix = "\(type(of: self)) failed: "
        var adapted: TransportRequest
        do {
            adapted = try await sender.adding { try await adapt(request) }
        } catch let error as RequestError {
            // An adapter that sends requests to itself is named once.
            let cause = error.cause.hasPrefix(prefix) ? error.cause : prefix + error.cause
            throw TransportFailure(error.kind, cause, underlying: error)
        } catch {
            throw TransportFailure(.adaptationFailed, prefix + causeText(of: error), underlying: error)
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
