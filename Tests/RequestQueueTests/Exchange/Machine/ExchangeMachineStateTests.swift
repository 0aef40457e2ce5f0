import Testing

@testable import RequestQueue

/// The facts that an exchange reports about its machine: in errors, responses and the schedule of timeouts.
@Suite("The state of an exchange")
struct ExchangeMachineStateTests {
    typealias Input = ExchangeMachine.Input
    typealias Rules = ExchangeMachine.Rules
    typealias Head = ExchangeMachine.Head
    typealias Tests = ExchangeMachineTests

    @Test(
        arguments: [
            (.standard, Tests.joined, .waiting), (.standard, Tests.transferring, .connecting),
            (.standard, Tests.sending(.post), .sending),
            (.standard, Tests.transferring + [.sent(5, isBodySent: false)], .sending),
            (.standard, Tests.sending(.post) + [.sent(5, isBodySent: false)], .sending),
            (.standard, Tests.sending(.post) + [.sent(5, isBodySent: true)], .waiting),
            (.standard, Tests.transferring + [.headBytes], .waiting),
            (.standard, Tests.sending(.post) + [.headBytes], .sending),
            (.standard, Tests.sending(.post) + [.headReceived], .receiving),
            (.standard, Tests.sending(.post) + [.headReceived, .sent(6, isBodySent: false)], .receiving),
            (.standard, Tests.sending(.post) + [.headReceived, .sent(6, isBodySent: true)], .receiving),
            (.standard, Tests.transferring + [.head(Head(status: 200))], .receiving),
            (.standard, Tests.backingOff, .waiting),
            (.standard, Tests.backingOff + [.alarm], .preparing),
            (Tests.adapted, Tests.adaptingAgain, .preparing),
            (
                Tests.cached,
                Tests.begun + [.lookedUp(.fetch), .authorized, .started(1)] + Tests.redirectedTo(.get).prefix(3),
                .preparing
            ),
            (Tests.requeue, Tests.returned, .preparing),
        ] as [(Rules, [Input], RequestError.Phase)])
    func `The phase follows the events`(rules: Rules, given: [Input], phase: RequestError.Phase) {
        let machine = MachineRun(rules, after: given).machine
        #expect(machine.phase == phase && !machine.isEnded)
    }

    @Test func `Bytes of the body are counted until the body is opened again`() {
        var run = MachineRun(.standard, after: Tests.sending(.put) + [.sent(5, isBodySent: false)])
        #expect(run.machine.transfer.bytesSent == 5)
        _ = run.send(.bodyOpened)
        #expect(run.machine.transfer.bytesSent == 0)
    }

    @Test(arguments: [
        (Tests.adapted, Tests.adaptingAgain), (Tests.requeue, Tests.returned),
        (.standard, Tests.answered(Head(status: 401, offer: .credentials)) + [.finished(nil, isBodySent: true)]),
    ])
    func `The next request has no bytes of the last one`(rules: Rules, given: [Input]) {
        #expect(MachineRun(rules, after: given).machine.transfer == ExchangeMachine.Transfer())
    }

    @Test func `A request that begins again after the background has its attempts, redirects and challenges again`() {
        let again: [Input] =
            [.head(Head(status: 307, offer: .redirect)), .finished(nil, isBodySent: true), .redirected(.get)]
            + [.authorized, .started(2), .finished(.lost, isBodySent: true), .alarm, .authorized, .started(3)]
            + [.head(Head(status: 401, offer: .credentials)), .finished(nil, isBodySent: true)]
        var run = MachineRun(Tests.requeue, after: Tests.transferring + again)
        #expect(
            run.machine.course.attempts == 2 && run.machine.course.redirects == 1 && run.machine.course.answers == 1)
        for input in [.enteredBackground, .authorized, .enteredForeground] as [Input] { _ = run.send(input) }
        #expect(run.machine.stage == .starting)
        #expect(
            run.machine.course.attempts == 1 && run.machine.course.redirects == 0 && run.machine.course.answers == 0)
    }

    @Test func `A task is running until it ends`() {
        var run = MachineRun(.standard, after: Tests.transferring)
        #expect(run.machine.isRunning(1) && !run.machine.isRunning(2))
        _ = run.send(.finished(.lost, isBodySent: true))
        #expect(!run.machine.isRunning(1))
    }

    @Test func `A head is processed until it was read, and not after the outcome`() {
        var run = MachineRun(.standard, after: Tests.transferring)
        #expect(!run.machine.isReadingHead)
        _ = run.send(.headReceived)
        #expect(run.machine.isReadingHead)
        _ = run.send(.cancel)
        #expect(!run.machine.isReadingHead)
    }

    @Test func `The outcome is decided before it is delivered`() {
        var run = MachineRun(.standard, after: Tests.begun)
        #expect(!run.machine.isEnded)
        _ = run.send(.cancel)
        #expect(run.machine.isEnded)
        _ = run.send(.released)
        #expect(run.machine.stage == .delivered && run.machine.isEnded)
    }

    // MARK: Time

    /// Each timeout is 1 second; without one that runs, the next check is 1 second later.
    @Test(
        arguments: [
            (.standard, Tests.begun, .seconds(3)), (.standard, Tests.transferring, .seconds(1)),
            (.standard, Tests.sending(.post), .seconds(1)),
            (.standard, Tests.transferring + [.queued(true)], .seconds(3)),
            (Tests.cached, Tests.begun, .seconds(3)),
            (
                .standard, Tests.answered(Head(status: 307, offer: .redirect)) + [.finished(nil, isBodySent: true)],
                .seconds(3)
            ),
            (.standard, Tests.finishing + [.received(isFile: true)], .seconds(3)),
            (.standard, Tests.transferring + [.cancel], nil),
            (Tests.requeue, Tests.transferring + [.enteredBackground], nil),
            (Tests.requeue, [.enteredBackground, .start], nil),
        ] as [(Rules, [Input], Duration?)])
    func `Timeouts are checked when one can expire`(rules: Rules, given: [Input], next: Duration?) {
        #expect(MachineRun(rules, after: given).machine.nextCheck(after: .seconds(2)) == next)
    }

    @Test func `An attempt that was given up is not checked again`() {
        var run = MachineRun(.standard, after: Tests.transferring)
        #expect(run.send(.check, at: .seconds(2)) == [.cancelTask])
        #expect(run.machine.nextCheck(after: .seconds(4)) == .seconds(5))
    }

    /// The last event is at 0.9 seconds.
    @Test(
        arguments: [
            Tests.sending(.post) + [.sent(5, isBodySent: false)], Tests.sending(.post) + [.headBytes],
            Tests.answered(Head(status: 200)) + [.bytes(2)],
            Tests.transferring + [.connected(isBodySent: true), .headReceived, .head(Head(status: 200))],
        ] as [[Input]])
    func `Bytes in either direction postpone the idle timeout`(events: [Input]) {
        var run = MachineRun(Tests.once, after: events.dropLast())
        let isHead = if case .head = events.last { true } else { false }
        if isHead { run = MachineRun(Tests.once, after: events.dropLast(2)) }
        for event in events.suffix(isHead ? 2 : 1) { _ = run.send(event, at: .milliseconds(900)) }
        #expect(run.send(.check, at: .milliseconds(1500)) == [] && !run.machine.isEnded)
        _ = run.send(.check, at: .seconds(2))
        #expect(run.machine.isEnded)
    }

    @Test func `The total timeout begins with the first attempt`() {
        var run = MachineRun(.standard, after: [.start])
        _ = run.send(.begun(.get, joins: false), at: .seconds(90))
        #expect(run.send(.check, at: .seconds(150)) == [])
        #expect(run.send(.check, at: .seconds(190)).count == 1 && run.machine.isEnded)
    }

    @Test func `A POST that was given up before it was connected is sent again`() {
        let given = [.start, .begun(.post, joins: false), .authorized, .started(1)] as [Input]
        var run = MachineRun(.standard, after: given)
        #expect(run.send(.check, at: .seconds(2)) == [.cancelTask])
        #expect(run.send(.finished(.lost, isBodySent: false)) == [.reopenBody(isBlocking: false)])
    }
}
