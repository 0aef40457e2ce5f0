/// The decisions to send a request again.
extension ExchangeMachine {
    /// Sends the request again, after a transfer.
    mutating func follow(_ next: Next, at now: Duration, _ effects: inout Effects) {
        deadlines.endHop(at: now)
        switch next {
        case .authorize: authorize(isAnswer: true, at: now, &effects)
        case .redirect:
            stage = .redirecting
            effects.append(.redirect)
        case .retry(let retry):
            guard case .failure(let failure) = retry.reason else { return backOff(retry, &effects) }
            // A connection may have been made while the transfer was given up.
            guard original.isIdempotent || phase == .connecting else { return end(.failure(failure), &effects) }
            guard original.hasBody else { return backOff(retry, &effects) }
            // The thread may be that of the timeouts, which must not wait for a body.
            stage = .reopening(retry)
            effects.append(.reopenBody(isBlocking: false))
        }
    }

    mutating func didReopen(_ isReopened: Bool, for retry: Retry, _ effects: inout Effects) {
        if case .failure(let failure) = retry.reason, !isReopened {
            end(.failure(failure), &effects)
        } else {
            backOff(retry, &effects)
        }
    }

    private mutating func backOff(_ retry: Retry, _ effects: inout Effects) {
        (stage, phase) = (.backingOff, .waiting)
        notify(.notifyRetry(retry), &effects)
        effects.append(.backOff(retry))
    }

    mutating func beginAttempt(at now: Duration, _ effects: inout Effects) {
        course.attempts += 1
        message = original
        beginHop(at: now, &effects)
    }

    /// Ends the request if a timeout has expired, or gives up the current attempt for the next one.
    mutating func check(at now: Duration, _ effects: inout Effects) {
        guard !isRestarting, stage != .suspended, stage != .created,
            let (kind, limit) = deadlines.expired(at: now)
        else { return }
        let failure = TransportFailure(timeout: kind, limit: limit, phase: phase)
        if kind != .timedOut {
            // A complete response is processed, or the head decides what follows.
            guard task != nil, !transfer.isReadingHead, transfer.reopening == nil else { return }
            // The speed of a body that is not used does not matter.
            transfer.next = transfer.next ?? retry(after: failure, at: now).map { .retry($0) }
            if transfer.next != nil {
                deadlines.endHop(at: now)
                return cancelTask(&effects)
            }
        }
        end(.failure(failure), &effects)
    }

    /// Returns the retry after a response; `nil` if the response is final.
    func retry(after head: Head, at now: Duration) -> Retry? {
        var retryAfter = head.retryAfter
        switch head.decision {
        case .standard:
            guard rules.retryPolicy.covers(status: head.status, isIdempotent: message.isIdempotent) else { return nil }
        case .retry(let delay):
            guard message.isIdempotent else { return nil }
            retryAfter = max(delay, .zero)
        case .respond: return nil
        }
        return retry(.status(head.status), retryAfter: retryAfter, at: now)
    }

    /// Returns the retry after a failure; `nil` if the failure is final.
    func retry(after failure: TransportFailure, at now: Duration) -> Retry? {
        if failure.isOfStaleConnection, course.attempts == 1, message.isSafe, !message.hasBody,
            rules.retryPolicy.reconnects
        {
            return Retry(reason: .failure(failure), delay: .zero, instant: now)
        }
        // The reader of a stream has received its head.
        guard !(rules.isStreamed && phase == .receiving),
            rules.retryPolicy.covers(failure.kind, in: phase, isIdempotent: message.isIdempotent)
        else { return nil }
        return retry(.failure(failure), retryAfter: nil, at: now)
    }

    private func retry(_ reason: Retry.Reason, retryAfter: Duration?, at now: Duration) -> Retry? {
        // Multiples of the golden ratio are evenly distributed.
        let chance = (rules.chance + Double(course.attempts) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1)
        let delay = rules.retryPolicy.delay(
            after: course.attempts, retryAfter: retryAfter, elapsed: deadlines.elapsed(at: now),
            timeLeft: deadlines.timeLeft(at: now), chance: chance)
        return delay.map { Retry(reason: reason, delay: $0, instant: now + $0) }
    }
}
