import Testing

@testable import RequestQueue

/// Events outside of a transfer: timeouts, the background, the delivery of the outcome, and defects.
extension ExchangeMachineTests {
    // MARK: Time

    @Test(
        arguments: [
            row(transferring, .check, [], .transferring),
            row(transferring, .check, at: .seconds(2), [.cancelTask], .transferring),
            row(
                with: once, transferring, .check, at: .seconds(2),
                [.cancelTask, failure(.connectTimedOut, "no connection after 1 second; Timeouts.connect is 1 s")],
                .ended),
            row(
                transferring, .check, at: .seconds(200),
                [.cancelTask, failure(.timedOut, "not completed after 100 seconds; Timeouts.total is 100 s")], .ended),
            row(
                with: once, transferring + [.connected(isBodySent: true)], .check, at: .seconds(2),
                [
                    .cancelTask,
                    failure(
                        .idleTimedOut, "no byte for 1 second while waiting for the response; Timeouts.idle is 1 s"),
                ], .ended),
            row(with: once, transferring + [.queued(true)], .check, at: .seconds(2), [], .transferring),
            row(
                with: once, transferring + [.queued(true), .queued(false)], .check, at: .seconds(2),
                [.cancelTask, failure(.connectTimedOut, "no connection after 1 second; Timeouts.connect is 1 s")],
                .ended),
            row(with: once, sending(.post) + [.bodyWaits], .check, at: .seconds(2), [], .transferring),
            row(
                with: once, sending(.post) + [.bodyWaits, .bodyResumes], .check, at: .seconds(2),
                [
                    .cancelTask,
                    failure(.idleTimedOut, "no byte for 1 second while sending the body; Timeouts.idle is 1 s"),
                ], .ended),
            row(
                with: once, sending(.post) + [.bodyWaits, .bodyOpened], .check, at: .seconds(2),
                [
                    .cancelTask,
                    failure(.idleTimedOut, "no byte for 1 second while sending the body; Timeouts.idle is 1 s"),
                ], .ended),
            row(
                with: once, answered(Head(status: 200)) + [.consumed(isFull: true)], .check, at: .seconds(2), [],
                .transferring),
            row(with: once, transferring + [.headReceived], .check, at: .seconds(2), [], .transferring),
            row(
                with: once, answered(Head(status: 307, offer: .redirect)), .check, at: .seconds(2), [.cancelTask],
                .transferring),
            row(sending(.put) + [.head(Head(status: 503))], .check, at: .seconds(2), [], .transferring),
            row(with: once, finishing, .check, at: .seconds(2), [], .finishing),
            row(
                with: once, finishing, .check, at: .seconds(200),
                [failure(.timedOut, "not completed after 100 seconds; Timeouts.total is 100 s")], .ended),
            row(with: adapted, adapting, .check, at: .seconds(2), [.cancelTask], .adapting),
            row(
                with: adapted, adaptingAgain, .check, at: .seconds(2),
                [
                    .cancelTask,
                    failure(
                        .connectTimedOut,
                        "the adapters returned no request after 1 second; Timeouts.connect is 1 s"),
                ], .ended),
            row(
                with: once, answered(Head(status: 200)) + [.consumed(isFull: false)], .check, at: .seconds(2),
                [
                    .cancelTask,
                    failure(
                        .idleTimedOut, "no byte for 1 second while receiving the response; Timeouts.idle is 1 s"),
                ], .ended),
            row(
                with: once, transferring + [.headReceived, .head(Head(status: 200))], .check, at: .seconds(2),
                [
                    .cancelTask,
                    failure(
                        .idleTimedOut, "no byte for 1 second while receiving the response; Timeouts.idle is 1 s"),
                ], .ended),
            row(
                with: once, sending(.post) + [.bodyWaits, .head(Head(status: 413, isBodySent: false))], .check,
                at: .seconds(2),
                [
                    .cancelTask,
                    failure(
                        .idleTimedOut, "no byte for 1 second while receiving the response; Timeouts.idle is 1 s"),
                ], .ended),
            row(begun, .check, at: .seconds(2), [], .authorizing),
            row(with: requeue, [.enteredBackground, .start], .check, at: .seconds(200), [], .suspended),
            row([], .check, at: .seconds(200), [], .created),
        ] as [Row])
    func `A timeout expires`(row: Row) { check(row) }

    @Test func `An attempt that was given up is followed by the next one when it has ended`() {
        var run = MachineRun(.standard, after: Self.transferring)
        #expect(run.send(.check, at: .seconds(2)) == [.cancelTask])
        #expect(run.send(.check, at: .seconds(4)) == [])
        #expect(run.send(.bytes(5)) == [])
        let effects = run.send(.finished(TransportFailure(.cancelled, "x"), isBodySent: true), at: .seconds(5))
        guard case .notifyRetry(let retry) = effects.first, case .failure(let failure) = retry.reason else {
            Issue.record("\(effects)")
            return
        }
        #expect(failure.kind == .connectTimedOut && run.machine.stage == .backingOff)
        #expect(effects.last == .backOff(retry))
    }

    @Test func `Adapters that return after their attempt was given up begin no transfer`() {
        var run = MachineRun(Self.adapted, after: Self.adapting)
        #expect(run.send(.check, at: .seconds(2)) == [.cancelTask])
        _ = run.send(.adapted(.get), at: .seconds(2))
        #expect(run.machine.stage == .backingOff)
    }

    @Test func `Answered challenges are counted for each URL`() {
        let answered = Self.answered(Head(status: 401, offer: .credentials)) + [.finished(nil, isBodySent: true)]
        var run = MachineRun(.standard, after: answered)
        #expect(run.machine.course.answers == 1)
        for input in [.authorized, .started(2), .head(Head(status: 307, offer: .redirect))] as [Input] {
            _ = run.send(input)
        }
        for input in [.finished(nil, isBodySent: true), .redirected(.get)] as [Input] { _ = run.send(input) }
        #expect(run.machine.course.answers == 0)
    }

    @Test func `A given-up attempt that was connected at last is not repeated unless it is idempotent`() {
        let given = [.start, .begun(.post, joins: false), .authorized, .started(1)] as [Input]
        var run = MachineRun(.standard, after: given)
        #expect(run.send(.check, at: .seconds(2)) == [.cancelTask])
        _ = run.send(.connected(isBodySent: false))
        guard case .end(.failure(let failure)) = run.send(.finished(.lost, isBodySent: false)).last else {
            Issue.record("the request has no outcome")
            return
        }
        #expect(failure.kind == .connectTimedOut)
    }

    // MARK: Background

    @Test(
        arguments: [
            row(with: requeue, transferring, .enteredBackground, [.cancelTask], .transferring),
            row(with: requeue, transferring + [.enteredBackground], .head(Head(status: 200)), [], .transferring),
            row(with: requeue, transferring + [.enteredBackground], .failed(.lost), [], .transferring),
            row(with: requeue, transferring + [.enteredBackground], .check, at: .seconds(200), [], .transferring),
            row(with: requeue, transferring + [.enteredBackground], .cancel, [cancelled], .ended),
            row(with: requeue, transferring + [.enteredBackground], .finished(.lost, isBodySent: true), [], .suspended),
            row(
                with: requeue, transferring + [.enteredBackground, .enteredForeground],
                .finished(nil, isBodySent: true),
                [.begin], .starting),
            row(
                with: requeue, transferring + [.enteredBackground, .finished(nil, isBodySent: true)],
                .enteredForeground,
                [.begin], .starting),
            row(with: requeue, [.start, .enteredBackground], .begun(.get, joins: false), [], .suspended),
            row(with: requeue, begun + [.enteredBackground], .authorized, [], .suspended),
            row(with: requeue, begun + [.enteredBackground], .failed(.lost), [], .suspended),
            row(
                with: requeue.with { $0.hasCache = true }, begun + [.enteredBackground], .lookedUp(.load), [],
                .suspended),
            row(with: requeue.with { $0.hasAdapters = true }, adapting, .enteredBackground, [.cancelTask], .adapting),
            row(
                with: requeue.with { $0.hasAdapters = true }, adapting + [.enteredBackground], .adapted(.get), [],
                .suspended),
            row(with: requeue, joined + [.enteredBackground], .joinedEnded, [], .suspended),
            row(with: requeue, finishing + [.enteredBackground], .received(isFile: false), [], .suspended),
            row(
                with: requeue.with { $0.hasCache = true },
                finishingWithCache + [.received(isFile: false), .enteredBackground], .concluded(isFinal: true), [],
                .suspended),
            row(with: requeue, finishing + [.received(isFile: true), .enteredBackground], .saved, [], .suspended),
            row(with: requeue, finishing + [.received(isFile: true), .saved], .enteredBackground, [], .committing),
            row(
                with: requeue, sending(.put) + [.finished(.lost, isBodySent: true), .enteredBackground],
                .reopened(true), [],
                .suspended),
            row(
                with: requeue,
                answered(Head(status: 307, offer: .redirect)) + [.finished(nil, isBodySent: true)]
                    + [.enteredBackground], .redirected(.get), [], .suspended),
            row(with: requeue, backingOff, .enteredBackground, [], .suspended),
            row(
                with: requeue.with { $0.isQueued = true }, backingOff + [.alarm], .enteredBackground, [.putBack],
                .awaitingTurn),
            row(
                with: requeue.with { $0.isQueued = true }, transferring, .enteredBackground, [.putBack], .transferring),
            row(with: requeue.with { $0.isQueued = true }, [], .enteredBackground, [], .created),
            row(
                with: requeue, transferring + [.enteredBackground], .connected(isBodySent: true), [], .transferring),
            row(
                with: requeue, transferring + [.enteredBackground], .sent(5, isBodySent: true), [], .transferring),
            row(
                with: requeue, answered(Head(status: 200)) + [.enteredBackground], .consumed(isFull: false), [],
                .transferring),
            row(with: requeue, returned, .begun(.get, joins: false), [.authorize(isAnswer: false)], .authorizing),
            row(
                with: requeue, returned + [.begun(.get, joins: false), .authorized, .started(2)],
                .connected(isBodySent: true), [.notifySent], .transferring),
            row(with: requeue, backingOff + [.enteredBackground], .alarm, [], .suspended),
            row(with: requeue, [.enteredBackground, .start], .cancel, [cancelled], .ended),
            row(with: requeue, [.enteredBackground, .start], .failed(.lost), [], .suspended),
            row(
                with: .standard.with { $0.backgroundPolicy = .cancel }, transferring, .enteredBackground,
                [.cancelTask, cancelled], .ended),
            row(with: .standard.with { $0.backgroundPolicy = .cancel }, [], .enteredBackground, [], .created),
            row(
                with: .standard.with { $0.backgroundPolicy = .continue }, transferring, .enteredBackground, [],
                .transferring),
            row(
                with: .standard.with { $0.backgroundPolicy = .continue }, transferring, .backgroundTimeExpired,
                [.cancelTask, .end(.failure(.backgroundTimedOut))], .ended),
            row(with: .standard.with { $0.backgroundPolicy = .continue }, [], .backgroundTimeExpired, [], .created),
            row(transferring, .enteredBackground, [], .transferring),
        ] as [Row])
    func `The process enters the background`(row: Row) { check(row) }

    // MARK: The outcome

    @Test(
        arguments: [
            row([.start, .cancel], .released, [.deliver], .delivered),
            row(transferring + [.connected(isBodySent: true), .cancel], .released, [], .ended),
            row(transferring + [.connected(isBodySent: true), .cancel, .released], .released, [.deliver], .delivered),
            row(begun + [.authorized, .cancel, .released], .started(1), [.cancelTask, .deliver], .delivered),
            row(transferring + [.cancel], .finished(.lost, isBodySent: true), [], .ended),
            row(begun + [.authorized, .cancel, .finished(.lost, isBodySent: true)], .started(1), [], .ended),
            row([.start, .cancel], .cancel, [], .ended),
            row([.start, .cancel, .released], .cancel, [], .delivered),
            row([.start, .cancel, .released], .finished(nil, isBodySent: true), [], .delivered),
            row([], .cancel, [cancelled], .ended),
            row([], .failed(.lost), [], .created),
        ] as [Row])
    func `The outcome is delivered once, after all operations that delay it`(row: Row) { check(row) }

    @Test(
        arguments: [
            (.standard, backingOff, .finished(nil, isBodySent: true)), (.standard, begun, .connected(isBodySent: true)),
            (.standard, transferring, .bytes(1)), (.standard, transferring, .authorized),
            (.standard, answered(Head(status: 200)), .head(Head(status: 200))), (.standard, begun, .saved),
            (cached, finishingWithCache + [.received(isFile: false)], .concluded(isFinal: false)),
            (.standard, transferring, .reopened(true)),
            (.standard, sending(.put) + [.head(Head(status: 503))], .finished(nil, isBodySent: true)),
            (.standard, sending(.put) + [.head(Head(status: 503))], .bytes(1)),
            (.standard, [], .released), (.standard, [], .started(0)),
            (requeue, [.enteredBackground, .start, .enteredBackground], .authorized),
        ] as [(Rules, [Input], Input)])
    func `An unexpected event is reported, and ends the request`(rules: Rules, given: [Input], input: Input) throws {
        var run = MachineRun(rules, after: given)
        let stage = run.machine.stage
        let effects = run.send(input)
        #expect(effects.first == .report(input, stage))
        guard case .end(.failure(let failure)) = effects.last else {
            Issue.record("\(effects)")
            return
        }
        #expect(failure.kind == .malformedResponse && failure.cause.hasPrefix("unexpected event"))
        #expect(run.machine.stage == .ended)
    }
}
