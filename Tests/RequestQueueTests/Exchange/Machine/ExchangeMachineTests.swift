import Testing

@testable import RequestQueue

/// The transitions of an exchange: for each, the inputs before it, its input, its effects and its stage.
@Suite("The transitions of an exchange")
struct ExchangeMachineTests {
    typealias Input = ExchangeMachine.Input
    typealias Effect = ExchangeMachine.Effect
    typealias Rules = ExchangeMachine.Rules
    typealias Stage = ExchangeMachine.Stage
    typealias Head = ExchangeMachine.Head
    typealias Retry = ExchangeMachine.Retry

    struct Row: CustomTestStringConvertible {
        var rules = Rules.standard
        var given: [Input] = []
        var input: Input
        var instant = Duration.zero
        var effects: [Effect]
        var stage: Stage

        var testDescription: String { "\(input) after \(given.suffix(3))" }
    }

    static func row(
        with rules: Rules = .standard, _ given: [Input], _ input: Input, at instant: Duration = .zero,
        _ effects: [Effect], _ stage: Stage
    ) -> Row {
        Row(rules: rules, given: given, input: input, instant: instant, effects: effects, stage: stage)
    }

    static let cancelled = Effect.end(.failure(TransportFailure(.cancelled, "the request was cancelled")))
    static let lost = Effect.end(.failure(.lost))
    static let requeue = Rules.standard.with { $0.backgroundPolicy = .requeue }
    static let cached = Rules.standard.with { $0.hasCache = true }
    static let adapted = Rules.standard.with { $0.hasAdapters = true }
    static let once = Rules.standard.with { $0.retryPolicy = .none }

    static let begun: [Input] = [.start, .begun(.get, joins: false)]
    static let joined: [Input] = [.start, .begun(.get, joins: true), .started(1)]
    static let adapting: [Input] = [.start, .begun(.get, joins: false), .started(1)]
    static let transferring: [Input] = begun + [.authorized, .started(1)]
    static func sending(_ message: ExchangeMachine.Message) -> [Input] {
        [.start, .begun(message, joins: false), .authorized, .started(1), .connected(isBodySent: false)]
    }
    static func answered(_ head: Head) -> [Input] { transferring + [.connected(isBodySent: true), .head(head)] }
    static let finishing = answered(Head(status: 200, length: 2)) + [.bytes(2), .finished(nil, isBodySent: true)]
    static let retryOfStatus = Retry(reason: .status(503), delay: .zero, instant: .zero)
    static let retryOfRefused = Retry(reason: .failure(.refused), delay: .zero, instant: .zero)
    static let retryOfLost = Retry(reason: .failure(.lost), delay: .zero, instant: .zero)
    static let backingOff = transferring + [.finished(.lost, isBodySent: true)]

    static func failure(_ kind: RequestError.Kind, _ cause: String) -> Effect {
        .end(.failure(TransportFailure(kind, cause)))
    }

    // MARK: The start

    @Test(
        arguments: [
            row([], .start, [.begin], .starting),
            row(with: requeue, [.enteredBackground], .start, [], .suspended),
            row(with: requeue, [.enteredBackground, .enteredForeground], .start, [.begin], .starting),
            row(begun, .start, [], .authorizing),
            row([.start], .begun(.get, joins: false), [.authorize(isAnswer: false)], .authorizing),
            row([.start], .begun(.get, joins: true), [.join(1)], .joined),
            row(with: adapted, [.start], .begun(.get, joins: false), [.adapt(1)], .adapting),
            row(with: cached, [.start], .begun(.get, joins: false), [.lookUp], .lookingUp),
            row([.start], .failed(.lost), [lost], .ended),
            row(with: adapted, adapting, .adapted(.put), [.authorize(isAnswer: false)], .authorizing),
            row(with: adapted.with { $0.hasCache = true }, adapting, .adapted(.get), [.lookUp], .lookingUp),
            row(
                with: adapted, adapting, .finished(.lost, isBodySent: true),
                [.notify(.willRetry(retryOfLost)), .backOff(retryOfLost)], .backingOff),
            row(
                with: adapted.with { $0.retryPolicy = .none }, adapting, .finished(.lost, isBodySent: true), [lost],
                .ended),
            row(with: cached, begun, .lookedUp(.load), [.end(.response)], .ended),
            row(with: cached, begun, .lookedUp(.fetch), [.authorize(isAnswer: false)], .authorizing),
            row(with: cached, begun, .lookedUp(.validate), [.authorize(isAnswer: false)], .authorizing),
            row(
                with: cached, begun, .lookedUp(.fail),
                [failure(.notCached, "the request has 'Cache-Control: only-if-cached' and was not sent to the server")],
                .ended),
            row(begun, .authorized, [.transmit(1)], .transferring),
            row(begun, .failed(.lost), [lost], .ended),
        ] as [Row])
    func `A request begins`(row: Row) { check(row) }

    @Test(
        arguments: [
            row(joined, .joinedSent, [.notify(.didSend)], .joined),
            row(joined + [.joinedSent], .joinedSent, [], .joined),
            row(joined, .joinedEvent, [.notify(.joined)], .joined),
            row(joined, .joinedEnded, [.end(.joined)], .ended),
            row(joined, .cancel, [.cancelTask, cancelled], .ended),
            row(joined, .check, at: .seconds(50), [], .joined),
            row(begun, .joinedSent, [], .authorizing),
            row(begun, .joinedEvent, [], .authorizing),
        ] as [Row])
    func `A request waits for an identical one`(row: Row) { check(row) }

    // MARK: A transfer

    @Test(
        arguments: [
            row(transferring, .queued(true), [], .transferring),
            row(transferring, .connected(isBodySent: true), [.notify(.didSend)], .transferring),
            row(transferring, .connected(isBodySent: false), [], .transferring),
            row(sending(.post), .sent(5, isBodySent: false), [.notify(.progress)], .transferring),
            row(sending(.post), .sent(5, isBodySent: true), [.notify(.progress), .notify(.didSend)], .transferring),
            row(transferring, .headBytes, [], .transferring),
            row(transferring, .headReceived, [], .transferring),
            row(transferring, .head(Head(status: 200)), [.receiveBody], .transferring),
            row(sending(.post), .head(Head(status: 413, isBodySent: false)), [.dropBody, .receiveBody], .transferring),
            row(answered(Head(status: 200)), .bytes(2), [.consume], .transferring),
            row(answered(Head(status: 204, hasBody: false)), .bytes(2), [], .transferring),
            row(
                answered(Head(status: 200, length: 2)), .bytes(3),
                [
                    .cancelTask,
                    failure(.malformedResponse, "the body of the response is longer than its declared length"),
                ],
                .ended),
            row(answered(Head(status: 200)), .consumed(isFull: true), [.notify(.progress)], .transferring),
            row(answered(Head(status: 200)), .resumed(2), [.resume(2)], .transferring),
            row(begun + [.authorized, .resumed(2)], .started(1), [.resume(2)], .transferring),
            row(begun + [.authorized, .cancel], .started(1), [.cancelTask], .ended),
            row(sending(.post), .bodyOpened, [], .transferring),
            row(sending(.post), .bodyWaits, [], .transferring),
            row(
                transferring, .finished(.lost, isBodySent: true),
                [.notify(.willRetry(retryOfLost)), .backOff(retryOfLost)],
                .backingOff),
            row(with: once, transferring, .finished(.lost, isBodySent: true), [lost], .ended),
            row(
                with: once, transferring, .finished(nil, isBodySent: true),
                [failure(.malformedResponse, "the connection ended without a response")], .ended),
            row(
                with: once, answered(Head(status: 200, length: 2)), .finished(nil, isBodySent: true),
                [failure(.truncatedResponse, "the response declared 2 bytes and ended after 0")], .ended),
            row(
                with: once, answered(Head(status: 200)), .finished(nil, isBodySent: false),
                [failure(.bodyNotSent, "the server answered 200 before it received the complete body")], .ended),
            row(answered(Head(status: 404)), .finished(nil, isBodySent: false), [.finishBody], .finishing),
            row(transferring, .failed(.lost), [.cancelTask, lost], .ended),
            row(transferring, .cancel, [.cancelTask, cancelled], .ended),
        ] as [Row])
    func `A request is transferred`(row: Row) { check(row) }

    @Test(
        arguments: [
            row(finishing, .received(isFile: false), [.conclude], .concluding),
            row(
                sending(.post) + [.head(Head(status: 404)), .finished(nil, isBodySent: false)],
                .received(isFile: false),
                [.notify(.didSend), .conclude], .concluding),
            row(finishing, .received(isFile: true), [.save], .saving),
            row(finishing, .failed(.lost), [.notify(.willRetry(retryOfLost)), .backOff(retryOfLost)], .backingOff),
            row(with: once, finishing, .failed(.lost), [lost], .ended),
            row(finishing + [.received(isFile: false)], .concluded(isFinal: true), [.end(.response)], .ended),
            row(finishing + [.received(isFile: true)], .saved, [.commit], .committing),
            row(finishing + [.received(isFile: true)], .failed(.lost), [lost], .ended),
            row(finishing + [.received(isFile: true)], .cancel, [cancelled], .ended),
            row(finishing + [.received(isFile: true), .saved], .committed(nil), [.end(.response)], .ended),
            row(finishing + [.received(isFile: true), .saved], .committed(.lost), [lost], .ended),
            row(finishing + [.received(isFile: true), .saved], .cancel, [], .committing),
            row(finishing + [.received(isFile: true), .saved], .check, at: .seconds(200), [], .committing),
        ] as [Row])
    func `A response is completed`(row: Row) { check(row) }

    // MARK: Again

    @Test(
        arguments: [
            row(transferring, .head(Head(status: 307, offer: .redirect)), [], .transferring),
            row(
                transferring, .head(Head(status: 307, length: 1 << 20, offer: .redirect)), [.cancelTask], .transferring),
            row(answered(Head(status: 307, offer: .redirect)), .bytes(1 << 20), [.cancelTask], .transferring),
            row(answered(Head(status: 307, offer: .redirect)), .bytes(1), [], .transferring),
            row(
                answered(Head(status: 307, offer: .redirect)), .finished(nil, isBodySent: true), [.redirect],
                .redirecting),
            row(
                answered(Head(status: 307, offer: .redirect)), .finished(.lost, isBodySent: true), [.redirect],
                .redirecting),
            row(
                answered(Head(status: 307, offer: .redirect)) + [.finished(nil, isBodySent: true)], .redirected(.get),
                [.authorize(isAnswer: false)], .authorizing),
            row(
                answered(Head(status: 307, offer: .redirect))
                    + [.finished(nil, isBodySent: true), .redirected(.get), .authorized, .started(2)],
                .head(Head(status: 307, offer: .redirect)),
                [
                    .cancelTask,
                    failure(.tooManyRedirects, "more than 1 redirects, the RESTRequest.redirectLimit"),
                ], .ended),
            row(
                answered(Head(status: 401, offer: .credentials)), .finished(nil, isBodySent: true),
                [.authorize(isAnswer: true)], .authorizing),
            row(
                with: cached,
                begun + [.lookedUp(.validate), .authorized, .started(1), .connected(isBodySent: true)]
                    + [.head(Head(status: 304, hasBody: false)), .finished(nil, isBodySent: true)]
                    + [.received(isFile: false)],
                .concluded(isFinal: false), [.authorize(isAnswer: false)], .authorizing),
            row(transferring, .head(Head(status: 503)), [], .transferring),
            row(
                answered(Head(status: 503)), .finished(nil, isBodySent: true),
                [.notify(.willRetry(retryOfStatus)), .backOff(retryOfStatus)], .backingOff),
            row(sending(.put), .head(Head(status: 503)), [.reopenBody(isBlocking: true)], .transferring),
            row(sending(.put) + [.head(Head(status: 503))], .reopened(false), [.receiveBody], .transferring),
            row(sending(.put) + [.head(Head(status: 503))], .reopened(true), [], .transferring),
            row(
                sending(.put) + [.head(Head(status: 503, length: 1 << 20))], .reopened(true), [.cancelTask],
                .transferring),
            row(sending(.post), .head(Head(status: 503)), [.receiveBody], .transferring),
            row(sending(.post), .finished(.lost, isBodySent: false), [lost], .ended),
            row(
                transferring, .finished(.refused, isBodySent: true),
                [.notify(.willRetry(retryOfRefused)), .backOff(retryOfRefused)], .backingOff),
            row(
                sending(.put), .finished(.lost, isBodySent: true), [.reopenBody(isBlocking: false)],
                .reopening(retryOfLost)),
            row(
                sending(.put) + [.finished(.lost, isBodySent: true)], .reopened(true),
                [.notify(.willRetry(retryOfLost)), .backOff(retryOfLost)], .backingOff),
            row(sending(.put) + [.finished(.lost, isBodySent: true)], .reopened(false), [lost], .ended),
            row(backingOff, .alarm, [.authorize(isAnswer: false)], .authorizing),
            row(
                with: .standard.with { $0.awaitsTurn = true }, backingOff, .alarm, [.notify(.awaitsTurn)], .awaitingTurn
            ),
            row(
                with: .standard.with { $0.awaitsTurn = true }, backingOff + [.alarm], .turn,
                [.authorize(isAnswer: false)],
                .authorizing),
            row(backingOff, .turn, [], .backingOff),
            row(transferring, .alarm, [], .transferring),
            row(backingOff, .cancel, [cancelled], .ended),
            row(
                backingOff + [.alarm, .authorized, .started(2)], .finished(.lost, isBodySent: true), [lost], .ended),
            row(
                with: .standard.with { $0.isStreamed = true }, answered(Head(status: 200)) + [.headReceived],
                .finished(.lost, isBodySent: true), [lost], .ended),
        ] as [Row])
    func `A request is sent again`(row: Row) { check(row) }

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
        guard case .notify(.willRetry(let retry)) = effects.first, case .failure(let failure) = retry.reason else {
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
        #expect(run.machine.answers == 1)
        for input in [.authorized, .started(2), .head(Head(status: 307, offer: .redirect))] as [Input] {
            _ = run.send(input)
        }
        for input in [.finished(nil, isBodySent: true), .redirected(.get)] as [Input] { _ = run.send(input) }
        #expect(run.machine.answers == 0)
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
                with: requeue, finishing + [.received(isFile: false), .enteredBackground], .concluded(isFinal: true),
                [],
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
            (backingOff, .finished(nil, isBodySent: true)), (begun, .connected(isBodySent: true)),
            (transferring, .bytes(1)), (answered(Head(status: 200)), .head(Head(status: 200))), (begun, .saved),
            (finishing + [.received(isFile: false)], .concluded(isFinal: false)), (transferring, .reopened(true)),
            (sending(.put) + [.head(Head(status: 503))], .finished(nil, isBodySent: true)), ([], .released),
        ] as [([Input], Input)])
    func `An unexpected event is reported, and ends the request`(given: [Input], input: Input) throws {
        var run = MachineRun(.standard, after: given)
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

    private func check(_ row: Row) {
        var run = MachineRun(row.rules, after: row.given)
        #expect(run.send(row.input, at: row.instant) == row.effects)
        #expect(run.machine.stage == row.stage)
    }
}
