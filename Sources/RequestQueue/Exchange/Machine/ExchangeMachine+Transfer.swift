extension ExchangeMachine {
    /// The maximum size of an unused body that is read so that its connection can be reused.
    private static let drainLimit: Int64 = 64 << 10

    // MARK: Before a transfer

    /// Begins the request, or waits for the foreground.
    mutating func begin(_ effects: inout Effects) {
        isRestarting = false
        (phase, course, transfer) = (.preparing, Course(), Transfer())
        guard !isInBackground else { return stage = .suspended }
        stage = .starting
        effects.append(.begin)
    }

    mutating func join(at now: Duration, _ effects: inout Effects) {
        (stage, phase) = (.joined, .waiting)
        // Only the total timeout applies; the others apply to the identical request.
        deadlines.endHop(at: now)
        startTask(Effect.join, &effects)
    }

    /// Begins a hop to the same or another URL.
    mutating func beginHop(at now: Duration, _ effects: inout Effects) {
        guard rules.hasAdapters else { return lookUp(at: now, &effects) }
        (stage, phase, transfer) = (.adapting, .preparing, Transfer())
        deadlines.beginHop(at: now)
        startTask(Effect.adapt, &effects)
    }

    mutating func lookUp(at now: Duration, _ effects: inout Effects) {
        task = nil
        guard rules.hasCache else { return authorize(isAnswer: false, at: now, &effects) }
        (stage, phase) = (.lookingUp, .preparing)
        deadlines.endHop(at: now)
        effects.append(.lookUp)
    }

    mutating func didLookUp(_ use: CacheRules.Use, at now: Duration, _ effects: inout Effects) {
        switch use {
        case .load: end(.response, &effects)
        case .fetch, .validate: authorize(isAnswer: false, at: now, &effects)
        case .fail:
            let cause = "the request has 'Cache-Control: only-if-cached' and was not sent to the server"
            end(.failure(TransportFailure(.notCached, cause)), &effects)
        }
    }

    /// Requests the credentials; only the total timeout applies meanwhile.
    mutating func authorize(isAnswer: Bool, at now: Duration, _ effects: inout Effects) {
        course.answers = isAnswer ? course.answers + 1 : 0
        (stage, phase, transfer) = (.authorizing, .preparing, Transfer())
        deadlines.endHop(at: now)
        guard isAnswer || rules.awaitsCredentials else { return transmit(at: now, &effects) }
        effects.append(.authorize(isAnswer: isAnswer))
    }

    mutating func transmit(at now: Duration, _ effects: inout Effects) {
        (stage, phase) = (.transferring, .connecting)
        deadlines.beginHop(at: now)
        startTask(Effect.transmit, &effects)
    }

    // MARK: During a transfer

    /// Processes an input of the transfer.
    ///
    /// - Returns: Whether the input was expected.
    mutating func handleTransfer(_ input: Input, at now: Duration, _ effects: inout Effects) -> Bool {
        switch input {
        case .queued(true): deadlines.endHop(at: now)
        case .queued(false): deadlines.beginHop(at: now)
        case .connected(let isBodySent):
            deadlines.touch(at: now)
            phase = isBodySent ? .waiting : .sending
            if isBodySent, !isRestarting { notifySent(&effects) }
        case .sent(let bytes, let isBodySent):
            deadlines.touch(at: now)
            transfer.bytesSent = bytes
            // A transport need not report the connection.
            if phase == .connecting { phase = .sending }
            if isBodySent, phase == .sending { phase = .waiting }
            guard !isRestarting else { break }
            if isListening { notify(.notifyProgress, &effects) }
            if isBodySent { notifySent(&effects) }
        case .headBytes:
            deadlines.touch(at: now)
            if phase == .connecting { phase = .waiting }
        case .headReceived:
            deadlines.touch(at: now)
            phase = .receiving
            transfer.isReadingHead = !isAbandoned
        case .head(let head): return receive(head, at: now, &effects)
        case .reopened(let isReopened):
            guard let retry = transfer.reopening.take() else { return false }
            if isReopened { transfer.next = .retry(retry) }
            finishHead(&effects)
        case .bytes(let count): return receive(count, at: now, &effects)
        case .consumed(let isFull):
            if isFull { deadlines.hold(at: now) }
            if !isRestarting, isListening { notify(.notifyProgress, &effects) }
        case .resumed(let count):
            for _ in 0..<count { deadlines.release(at: now) }
            if task?.isStarted == true { effects.append(.resume(count)) } else { task?.resumes += count }
        case .bodyOpened:
            transfer.bytesSent = 0
            deadlines.removeHolds()
        case .bodyWaits: deadlines.hold(at: now)
        case .bodyResumes: deadlines.release(at: now)
        case .finished(let failure, let isBodySent):
            guard transfer.reopening == nil else { return false }
            transfer.isBodySent = isBodySent
            didFinish(failure, at: now, &effects)
        default: return false
        }
        return true
    }

    /// Whether the response is not used, because the request will be sent again.
    var isAbandoned: Bool { transfer.next != nil || isRestarting }

    private mutating func receive(_ head: Head, at now: Duration, _ effects: inout Effects) -> Bool {
        transfer.isReadingHead = false
        phase = .receiving
        if isAbandoned { return true }
        guard transfer.head == nil else { return false }
        (transfer.head, transfer.isBodySent) = (head, head.isBodySent)
        if head.offer == .redirect, course.redirects >= rules.redirectLimit {
            let cause = "more than \(course.redirects) redirects, the RESTRequest.redirectLimit"
            end(.failure(TransportFailure(.tooManyRedirects, cause)), &effects)
            return true
        }
        if head.status >= 300, !head.isBodySent {
            // The server does not need the rest of the body.
            deadlines.removeHolds()
            effects.append(.dropBody)
        }
        switch head.offer {
        case .credentials: transfer.next = .authorize
        case .redirect: transfer.next = .redirect
        case nil:
            guard let retry = retry(after: head, at: now) else { break }
            if original.hasBody {
                // The response is used if the body cannot be read again.
                transfer.reopening = retry
                effects.append(.reopenBody(isBlocking: true))
                return true
            }
            transfer.next = .retry(retry)
        }
        finishHead(&effects)
        return true
    }

    /// Receives the body, or the rest of an unused response if that is short.
    private mutating func finishHead(_ effects: inout Effects) {
        if transfer.next == nil {
            effects.append(.receiveBody)
        } else if !isDrainable {
            cancelTask(&effects)
        }
    }

    private mutating func receive(_ count: Int64, at now: Duration, _ effects: inout Effects) -> Bool {
        deadlines.touch(at: now)
        transfer.bytesReceived += count
        if isAbandoned {
            if !isDrainable { cancelTask(&effects) }
            return true
        }
        guard let head = transfer.head, transfer.reopening == nil else { return false }
        guard head.hasBody else { return true }
        if let length = head.length, transfer.bytesReceived > length {
            let cause = "the body of the response is longer than its declared length"
            end(.failure(TransportFailure(.malformedResponse, cause)), &effects)
        } else {
            effects.append(.consume)
        }
        return true
    }

    /// Whether the rest of an unused body is short enough to read it and keep the connection.
    private var isDrainable: Bool {
        transfer.isBodySent && transfer.bytesReceived <= Self.drainLimit
            && (transfer.head?.length ?? 0) <= Self.drainLimit
    }

    // MARK: After a transfer

    /// Processes the end of a task: sends the request again, completes the response, or fails.
    mutating func didFinish(_ failure: TransportFailure?, at now: Duration, _ effects: inout Effects) {
        task = nil
        if let next = transfer.next { return follow(next, at: now, &effects) }
        guard let failure = failure ?? incompleteness else {
            stage = .finishing
            return effects.append(.finishBody)
        }
        if let retry = retry(after: failure, at: now) {
            follow(.retry(retry), at: now, &effects)
        } else {
            end(.failure(failure), &effects)
        }
    }

    /// The reason for which the ended transfer has no complete response.
    private var incompleteness: TransportFailure? {
        guard let head = transfer.head else {
            return TransportFailure(.malformedResponse, "the connection ended without a response")
        }
        if head.hasBody, let length = head.length, transfer.bytesReceived < length {
            return TransportFailure(
                .truncatedResponse,
                "the response declared \(length) bytes and ended after \(transfer.bytesReceived)")
        }
        guard transfer.isBodySent || !(200..<300).contains(head.status) else {
            return TransportFailure(
                .bodyNotSent, "the server answered \(head.status) before it received the complete body")
        }
        return nil
    }

    mutating func didReceive(isFile: Bool, at now: Duration, _ effects: inout Effects) {
        let isNotified = course.isSentReported || !rules.isObserved
        notifySent(&effects)
        guard isFile else {
            // An observer is notified before the outcome is decided.
            guard rules.hasCache || !isNotified else { return end(.response, &effects) }
            stage = .concluding
            return effects.append(.conclude)
        }
        stage = .saving
        deadlines.hold(at: now)
        effects.append(.save)
    }
}
