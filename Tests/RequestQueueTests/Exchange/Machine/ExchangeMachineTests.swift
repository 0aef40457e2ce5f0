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
    static let finishingWithCache =
        begun + [.lookedUp(.fetch), .authorized, .started(1), .connected(isBodySent: true)]
        + [.head(Head(status: 200, length: 2)), .bytes(2), .finished(nil, isBodySent: true)]
    static func redirectedTo(_ message: ExchangeMachine.Message) -> [Input] {
        [.head(Head(status: 307, offer: .redirect)), .finished(nil, isBodySent: true), .redirected(message)]
            + [.authorized, .started(2)]
    }
    static let adaptingAgain =
        adapting + [.adapted(.get), .authorized, .started(2), .head(Head(status: 503))]
        + [.finished(nil, isBodySent: true), .alarm, .started(3)]
    static let retryOfStatus = Retry(reason: .status(503), delay: .zero, instant: .zero)
    static let retryOfRefused = Retry(reason: .failure(.refused), delay: .zero, instant: .zero)
    static let retryOfLost = Retry(reason: .failure(.lost), delay: .zero, instant: .zero)
    static let backingOff = transferring + [.finished(.lost, isBodySent: true)]

    /// Sent again after the background.
    static let returned =
        transferring
        + [.connected(isBodySent: true), .sent(5, isBodySent: true), .enteredBackground]
        + [.finished(.lost, isBodySent: true), .enteredForeground]

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
            row(
                with: .standard.with { $0.awaitsCredentials = false }, [.start], .begun(.get, joins: false),
                [.transmit(1)], .transferring),
            row([.start], .begun(.get, joins: true), [.join(1)], .joined),
            row(with: adapted, [.start], .begun(.get, joins: false), [.adapt(1)], .adapting),
            row(with: cached, [.start], .begun(.get, joins: false), [.lookUp], .lookingUp),
            row([.start], .failed(.lost), [lost], .ended),
            row(with: adapted, adapting, .adapted(.put), [.authorize(isAnswer: false)], .authorizing),
            row(with: adapted.with { $0.hasCache = true }, adapting, .adapted(.get), [.lookUp], .lookingUp),
            row(
                with: adapted, adapting, .finished(.lost, isBodySent: true),
                [.notifyRetry(retryOfLost), .backOff(retryOfLost)], .backingOff),
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
            row(
                with: requeue, [.enteredBackground, .enteredForeground], .failed(.lost), [], .created),
            row(
                with: .standard.with { $0.isObserved = false }, transferring, .connected(isBodySent: true), [],
                .transferring),
            // A late return of the start of an earlier task.
            row(
                begun + [.authorized, .finished(.lost, isBodySent: true), .alarm, .authorized, .started(1)], .cancel,
                [cancelled], .ended),
        ] as [Row])
    func `A request begins`(row: Row) { check(row) }

    @Test(
        arguments: [
            row(joined, .joinedSent, [.notifySent], .joined),
            row(joined + [.joinedSent], .joinedSent, [], .joined),
            row(joined, .joinedEvent, [.notifyJoined], .joined),
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
            row(transferring, .connected(isBodySent: true), [.notifySent], .transferring),
            row(transferring, .connected(isBodySent: false), [], .transferring),
            row(sending(.post), .sent(5, isBodySent: false), [.notifyProgress], .transferring),
            row(sending(.post), .sent(5, isBodySent: true), [.notifyProgress, .notifySent], .transferring),
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
            row(answered(Head(status: 200)), .consumed(isFull: true), [.notifyProgress], .transferring),
            row(answered(Head(status: 200)), .resumed(2), [.resume(2)], .transferring),
            row(begun + [.authorized, .resumed(2)], .started(1), [.resume(2)], .transferring),
            row(begun + [.authorized, .cancel], .started(1), [.cancelTask], .ended),
            row(sending(.post), .bodyOpened, [], .transferring),
            row(sending(.post), .bodyWaits, [], .transferring),
            row(sending(.post), .head(Head(status: 200, isBodySent: false)), [.receiveBody], .transferring),
            row(
                transferring, .finished(.lost, isBodySent: true),
                [.notifyRetry(retryOfLost), .backOff(retryOfLost)],
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
            row(
                answered(Head(status: 304, hasBody: false, length: 5)), .finished(nil, isBodySent: true), [.finishBody],
                .finishing),
            row(backingOff, .consumed(isFull: true), [], .backingOff),
            row(backingOff, .resumed(1), [], .backingOff),
            row(backingOff, .bodyOpened, [], .backingOff),
            row(backingOff, .bodyWaits, [], .backingOff),
            row(backingOff, .bodyResumes, [], .backingOff),
            row(transferring, .failed(.lost), [.cancelTask, lost], .ended),
            row(transferring, .cancel, [.cancelTask, cancelled], .ended),
        ] as [Row])
    func `A request is transferred`(row: Row) { check(row) }

    @Test(
        arguments: [
            row(finishing, .received(isFile: false), [.end(.response)], .ended),
            row(with: cached, finishingWithCache, .received(isFile: false), [.conclude], .concluding),
            row(
                sending(.post) + [.head(Head(status: 404)), .finished(nil, isBodySent: false)],
                .received(isFile: false),
                [.notifySent, .conclude], .concluding),
            row(finishing, .received(isFile: true), [.save], .saving),
            row(finishing, .failed(.lost), [.notifyRetry(retryOfLost), .backOff(retryOfLost)], .backingOff),
            row(with: once, finishing, .failed(.lost), [lost], .ended),
            row(
                with: cached, finishingWithCache + [.received(isFile: false)], .concluded(isFinal: true),
                [.end(.response)], .ended),
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
            row(
                answered(Head(status: 307, offer: .redirect))
                    + [.finished(nil, isBodySent: true), .redirected(.get), .authorized, .started(2)],
                .head(Head(status: 200)), [.receiveBody], .transferring),
            row(
                sending(.post), .head(Head(status: 307, offer: .redirect, isBodySent: false)),
                [.dropBody, .cancelTask],
                .transferring),
            row(sending(.put) + redirectedTo(.get), .head(Head(status: 503)), [], .transferring),
            row(transferring + redirectedTo(.post), .head(Head(status: 503)), [.receiveBody], .transferring),
            row(
                with: adapted, adapting + [.adapted(.post), .authorized, .started(2)], .head(Head(status: 503)),
                [.receiveBody], .transferring),
            row(
                with: adapted, adaptingAgain, .adapted(.get), [.authorize(isAnswer: false)], .authorizing),
            row(
                with: adapted.with { $0.retryPolicy.attempts = 3 },
                adapting + [.adapted(.post), .authorized, .started(2), .finished(.refused, isBodySent: false)]
                    + [.alarm, .started(3)],
                .finished(.lost, isBodySent: true), [.notifyRetry(retryOfLost), .backOff(retryOfLost)],
                .backingOff),
            row(transferring, .head(Head(status: 503)), [], .transferring),
            row(
                answered(Head(status: 503)), .finished(nil, isBodySent: true),
                [.notifyRetry(retryOfStatus), .backOff(retryOfStatus)], .backingOff),
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
                [.notifyRetry(retryOfRefused), .backOff(retryOfRefused)], .backingOff),
            row(
                sending(.put), .finished(.lost, isBodySent: true), [.reopenBody(isBlocking: false)],
                .reopening(retryOfLost)),
            row(
                sending(.put) + [.finished(.lost, isBodySent: true)], .reopened(true),
                [.notifyRetry(retryOfLost), .backOff(retryOfLost)], .backingOff),
            row(sending(.put) + [.finished(.lost, isBodySent: true)], .reopened(false), [lost], .ended),
            row(backingOff, .alarm, [.authorize(isAnswer: false)], .authorizing),
            row(
                with: .standard.with { $0.isQueued = true }, backingOff, .alarm, [.awaitTurn], .awaitingTurn
            ),
            row(
                with: .standard.with { $0.isQueued = true }, backingOff + [.alarm], .turn,
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

    func check(_ row: Row) {
        var run = MachineRun(row.rules, after: row.given)
        #expect(run.send(row.input, at: row.instant) == row.effects)
        #expect(run.machine.stage == row.stage)
    }
}
