import Dispatch
import Synchronization

/// One attempt more.
struct Retry: Sendable {
    let notice: RequestRetry
    /// When it begins.
    let instant: Duration
    /// The body at its beginning; nil if it is to be opened when the hop has ended.
    let body: TransportRequest.Body?
}

extension Exchange {
    /// What follows a head by the retry policy; nil if the response is the one to hand over.
    func retry(after head: ResponseHead, of hop: TransportRequest, at now: Duration) -> FollowUp? {
        guard request.retryPolicy.covers(status: head.status, of: hop) else { return nil }
        // The response is to hand over if the body can be read only once.
        let body = (state.withLock { $0.original } ?? hop).body?.reopened()
        guard body != nil || hop.body == nil else { return nil }
        return retry(.status(head.status), retryAfter: head.retryAfter(now: Date()), body, at: now)
    }

    /// What follows a failure by the retry policy; nil if it ends the request.
    func retry(after failure: TransportFailure) -> FollowUp? {
        guard request.retryPolicy.attempts > 1 else { return nil }
        let failed = state.withLock { state -> (hop: TransportRequest, error: RequestError)? in
            guard state.outcome == nil, state.followUp == nil, let hop = state.hop else { return nil }
            // Whoever reads a stream has its head.
            if case .stream = delivery, state.phase == .receiving { return nil }
            return (hop, state.error(failure, request))
        }
        guard let (hop, error) = failed, request.retryPolicy.covers(error.kind, in: error.phase, of: hop) else {
            return nil
        }
        return retry(.failure(error), retryAfter: nil, nil, at: Watchdog.shared.now)
    }

    private func retry(
        _ reason: RequestRetry.Reason, retryAfter: Duration?, _ body: TransportRequest.Body?, at now: Duration
    ) -> FollowUp? {
        let (deadlines, attempts) = state.withLock { ($0.deadlines, $0.attempts) }
        let delay = request.retryPolicy.delay(
            after: attempts, retryAfter: retryAfter, elapsed: deadlines.elapsed(at: now),
            timeLeft: deadlines.timeLeft(at: now), chance: .random(in: 0...1))
        guard let delay else { return nil }
        let notice = RequestRetry(attempt: attempts + 1, delay: delay, reason: reason)
        return .retry(Retry(notice: notice, instant: now + delay, body: body))
    }

    /// Sends the same once more when it is time, unless that would double what went or the body is spent.
    func repeatHop(_ hop: TransportRequest, by retry: Retry) {
        var next = hop
        next.body = retry.body
        guard case .failure(let error) = retry.notice.reason else { return wait(for: retry, with: next) }
        // A connection may have been made while the hop was given up.
        let isSafe = hop.isIdempotent || state.withLock { $0.phase == .connecting }
        guard isSafe else { return fail(TransportFailure(error.kind, error.cause)) }
        guard let body = hop.body else { return wait(for: retry, with: next) }
        // This may be the thread of all time-outs, which must not wait for what opens a body.
        DispatchQueue.global().async { [self, next] in
            guard let body = body.reopened() else { return fail(TransportFailure(error.kind, error.cause)) }
            var next = next
            next.body = body
            wait(for: retry, with: next)
        }
    }

    /// Until it is time there is no connection, and nothing waits but the watchdog.
    private func wait(for retry: Retry, with next: TransportRequest) {
        tell(.willRetry(retry.notice))
        LogMessage.log(.requestQueue, .info, "\(next.method) \(next.url.shown): \(retry.notice)")
        state.withLock { state in
            guard state.outcome == nil else { return }
            state.hop = next
            state.phase = .waiting
            state.alarm = Alarm.set(at: retry.instant) { [self] in
                DispatchQueue.global().async { [self] in awaitsTurn ? tell(.awaitsTurn) : sendAgain() }
            }
        }
    }

    /// Begins the next attempt, unless the request has its outcome.
    func sendAgain() {
        let hop = state.withLock { state -> TransportRequest? in
            state.dropAlarm()
            guard state.outcome == nil else { return nil }
            state.attempts += 1
            state.phase = .preparing
            return state.hop
        }
        if let hop { send(hop, at: Watchdog.shared.now) }
    }

    /// Ends a hop that waited too long, for what follows it instead of an outcome.
    ///
    /// - Returns: Whether anything does, or the hop has gone on meanwhile.
    func giveUpHop(for failure: TransportFailure, at now: Duration) -> Bool {
        let retry = retry(after: failure)
        let (task, goesOn) = state.withLock { state -> ((any TransportTask)?, Bool) in
            let isHeadBeingRead = state.phase == .receiving && state.head == nil
            guard state.outcome == nil, state.deadlines.expired(at: now) != nil, !state.isTaskOver, !isHeadBeingRead
            else {
                return (nil, true)
            }
            // Of a body that nobody wants it does not matter how slow it comes.
            guard let followUp = state.followUp ?? retry else { return (nil, false) }
            state.followUp = followUp
            state.deadlines.endHop(at: now)
            return (state.giveUpHop(), true)
        }
        task?.cancel()
        return goesOn
    }
}
