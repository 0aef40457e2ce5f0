extension Exchange {
    typealias Input = ExchangeMachine.Input
    typealias Effects = ExchangeMachine.Effects

    /// Processes an event from outside, and performs what follows from it.
    func apply(_ input: Input, at now: Duration = Watchdog.shared.now) { run(effects(input, at: now)) }

    /// Changes the resources together with an event; does nothing after the end, or if there is no event.
    func apply(at now: Duration = Watchdog.shared.now, _ change: (inout ExchangeState) -> Input?) {
        run(effects(at: now, change))
    }

    /// Processes an event.
    ///
    /// - Returns: What follows from it.
    func effects(_ input: Input, at now: Duration = Watchdog.shared.now) -> Effects {
        state.withLock { $0.handle(input, at: now) }
    }

    /// Changes the resources together with an event.
    func effects(at now: Duration = Watchdog.shared.now, _ change: (inout ExchangeState) -> Input?) -> Effects {
        state.withLock { state in change(&state).map { state.handle($0, at: now) } ?? Effects() }
    }

    /// Performs effects, and those that follow from them, until the request waits for another event.
    func run(_ effects: Effects) {
        var effects = effects
        while !effects.isEmpty {
            var next = Effects()
            effects.forEach { next.append(perform($0)) }
            effects = next
        }
    }

    /// Performs an effect.
    ///
    /// - Returns: The effects that follow immediately; a step that ends later applies its end as an event.
    private func perform(_ effect: ExchangeMachine.Effect) -> Effects {
        switch effect {
        // The steps of a request, in their order.
        case .begin: return begin()
        case .join(let number): return join(number)
        case .adapt(let number): return adapt(number)
        case .lookUp: return lookUp()
        case .authorize(let isAnswer): return authorize(isAnswer: isAnswer)
        case .transmit(let number): return transmit(number)
        case .receiveBody: return receiveBody()
        case .finishBody: return finishBody()
        case .conclude: return conclude()
        case .save: save()
        case .commit: return commit()
        case .end(let ending): return end(ending)
        case .deliver: deliver()
        // The steps between two transfers.
        case .redirect: return redirect()
        case .reopenBody(let isBlocking): return reopenBody(isBlocking: isBlocking)
        case .backOff(let retry): backOff(retry)
        // Calls of the sender's closures.
        case .notifySent: return notify(.didSend)
        case .notifyProgress: return notify(.progress(progress))
        case .notifyRetry(let retry): return notify(.willRetry(notice(of: retry)))
        case .awaitTurn: return call { $0.queue?(.awaitTurn) }
        case .putBack: return call { $0.queue?(.putBack) }
        // The running task.
        case .cancelTask: return cancelTask()
        case .resume(let count):
            let task = state.withLock { $0.task }
            for _ in 0..<count { task?.resume() }
        // Released outside the lock, because its deinitializer can run user code.
        case .dropBody: _ = state.withLock { $0.body.take() }
        // Performed by the function that has the bytes or the event.
        case .consume, .notifyJoined: break
        case .report(let input, let stage): report(input, stage)
        }
        return Effects()
    }

    private func cancelTask() -> Effects {
        let task = state.withLock { $0.task.take() }
        task?.cancel()
        // The end of the identical request is not reported to a request that no longer waits for it.
        return task is CoalescedTask ? effects(.joinedEnded) : Effects()
    }

    /// Registers a task when its start has returned, unless it has ended.
    func register(_ task: (any TransportTask)?, _ number: Int) -> Effects {
        effects { state in
            if state.machine.isRunning(number) { state.task = task }
            return .started(number)
        }
    }

    /// Reports a defect in debug builds.
    private func report(_ input: Input, _ stage: ExchangeMachine.Stage) {
        #if DEBUG
            LogMessage.log(.requestQueue, .error, "unexpected event '\(input)' in the state '\(stage)'")
        #endif
    }
}
