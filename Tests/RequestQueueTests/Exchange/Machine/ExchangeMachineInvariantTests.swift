import TestSupport
import Testing

@testable import RequestQueue

/// What holds for all sequences of events: of callers, servers, transports and the application.
@Suite("The invariants of an exchange")
struct ExchangeMachineInvariantTests {
    typealias Input = ExchangeMachine.Input
    typealias Head = ExchangeMachine.Head

    /// All events with the values that decide between transitions, except for the returns of effects.
    static let inputs: [(input: Input, instant: Duration)] =
        ([
            .start, .cancel, .turn, .enteredBackground, .enteredForeground, .backgroundTimeExpired,
            .begun(.post, joins: false), .begun(.get, joins: true), .adapted(.post), .lookedUp(.load),
            .lookedUp(.fetch),
            .lookedUp(.fail), .authorized, .redirected(.post), .reopened(true), .reopened(false), .alarm,
            .received(isFile: false), .received(isFile: true), .concluded(isFinal: true), .concluded(isFinal: false),
            .saved, .committed(nil), .committed(.lost), .failed(.lost), .queued(true), .connected(isBodySent: false),
            .sent(5, isBodySent: true), .headReceived, .head(Head(status: 200)), .head(Head(status: 304)),
            .head(Head(status: 503)), .head(Head(status: 307, length: 1 << 20, offer: .redirect)),
            .head(Head(status: 401, offer: .credentials)), .bytes(2), .consumed(isFull: true), .resumed(1),
            .bodyOpened, .finished(nil, isBodySent: true), .finished(.lost, isBodySent: false), .joinedEvent,
            .joinedEnded,
        ] as [Input]).map { ($0, .zero) } + [(.check, .seconds(2)), (.check, .seconds(200))]

    @Test(arguments: [
        ExchangeMachine.Rules.standard,
        .standard.with { $0.backgroundPolicy = .requeue },
        .standard.with {
            $0.backgroundPolicy = .requeue
            $0.isQueued = true
        },
        .standard.with {
            $0.hasCache = true
            $0.hasAdapters = true
            $0.isObserved = false
        },
    ])
    func `Sequences of up to 8 events have one outcome, end each transfer once, and send no body twice`(
        rules: ExchangeMachine.Rules
    ) throws {
        var seen: Set<MachineMonitor> = [MachineMonitor(rules)]
        var states = Array(seen)
        for length in 1...8 {
            var next: [MachineMonitor] = []
            for state in states {
                for (input, instant) in Self.inputs + state.returns.map({ ($0, .zero) }) {
                    var following = state
                    if let violation = following.send(input, at: instant) {
                        Issue.record("\(violation) after \(input) in \(state.machine.stage)")
                        return
                    }
                    if length < 8, seen.insert(following).inserted { next.append(following) }
                }
                if let violation = state.endViolation {
                    Issue.record("\(violation) in \(state.machine.stage)")
                    return
                }
            }
            states = next
        }
        #expect(seen.count > 200)
    }

    /// Longer sequences, in which events that begin a step are more frequent.
    @Test(arguments: 0..<4) func `Random sequences of events have one outcome`(block: Int) {
        for seed in block * 100..<(block + 1) * 100 {
            var random = SeededGenerator(seed: seed)
            let rules = ExchangeMachine.Rules.standard.with {
                $0.hasCache = seed % 2 == 0
                $0.hasAdapters = seed % 3 == 0
                $0.backgroundPolicy = seed % 5 == 0 ? .requeue : .none
                $0.retryPolicy.attempts = 4
                $0.redirectLimit = 3
            }
            var monitor = MachineMonitor(rules)
            for _ in 0..<60 {
                let inputs = Self.inputs + monitor.returns.map { ($0, .zero) }
                let following = inputs.shuffled(using: &random).first { input, instant in
                    var next = monitor
                    _ = next.send(input, at: instant)
                    return !next.machine.isEnded && next != monitor
                }
                guard let (input, instant) = following else { break }
                if let violation = monitor.send(input, at: instant) ?? monitor.endViolation {
                    Issue.record("seed \(seed): \(violation) after \(input) in \(monitor.machine.stage)")
                    return
                }
            }
        }
    }
}

/// A machine with the facts of its past that the invariants need.
struct MachineMonitor: Hashable {
    var machine: ExchangeMachine
    /// The operations of effects that have not returned.
    private var startingTasks: Set<Int> = []
    private var operations = 0
    private var isDecided = false
    private var isDelivered = false
    /// The last task that was started and has not ended.
    private var openTask: Int?
    private var isCancelled = false
    /// Whether a server may have received the body, and whether it may be sent again.
    private var isBodySent = false
    private var isPermitted = false

    init(_ rules: ExchangeMachine.Rules) { machine = ExchangeMachine(rules) }

    /// The rules are the same for all, and expensive to hash.
    func hash(into hasher: inout Hasher) {
        hasher.combine(machine.stage)
        hasher.combine(machine.phase)
        hasher.combine(machine.course.attempts)
        hasher.combine(machine.transfer)
        hasher.combine(machine.task)
        hasher.combine(machine.tasks)
        hasher.combine(machine.message)
        hasher.combine(machine.original)
        hasher.combine(machine.deadlines)
        hasher.combine(machine.course.isSentReported)
        hasher.combine(machine.isInBackground)
        hasher.combine(machine.isRestarting)
        hasher.combine(startingTasks)
        hasher.combine(operations)
        hasher.combine(isCancelled)
        hasher.combine(isBodySent)
        hasher.combine(isPermitted)
    }

    /// The returns of effects.
    var returns: [ExchangeMachine.Input] {
        startingTasks.map { .started($0) } + (operations > 0 ? [.released] : [])
    }

    /// Processes an input; returns the invariant that is violated.
    mutating func send(_ input: ExchangeMachine.Input, at now: Duration) -> String? {
        note(input)
        var effects = ExchangeMachine.Effects()
        let wasDelivered = isDelivered
        machine.handle(input, at: now, into: &effects)
        if !isDecided, case .finished = input, machine.task == nil { openTask = nil }
        if machine.task == nil, !machine.isEnded { openTask = nil }
        for effect in effects.all {
            if wasDelivered { return "the effect \(effect) follows the outcome" }
            if let violation = note(effect) { return violation }
        }
        return machine.holds == operations + startingTasks.count ? nil : "\(machine.holds) operations are counted"
    }

    /// The invariant that is violated if the request is cancelled now and all operations return.
    var endViolation: String? {
        var end = self
        var isFirst = true
        while isFirst || !end.returns.isEmpty {
            for input in isFirst ? [machine.stage == .committing ? .committed(nil) : .cancel] : end.returns {
                if let violation = end.send(input, at: .zero) { return violation }
                break
            }
            isFirst = false
        }
        return end.isDelivered && (end.openTask == nil || end.isCancelled) ? nil : "the request does not end"
    }

    private mutating func note(_ input: ExchangeMachine.Input) {
        switch input {
        case .started(let number): startingTasks.remove(number)
        case .released: operations -= 1
        case .connected, .sent: if machine.stage == .transferring { isBodySent = true }
        case .finished: if machine.task != nil { openTask = nil }
        case .joinedEnded: if machine.stage == .joined { openTask = nil }
        case .head(let head):
            if machine.stage == .transferring {
                isBodySent = true
                isPermitted = isPermitted || head.offer != nil
            }
        case .enteredBackground: isPermitted = isPermitted || machine.rules.backgroundPolicy == .requeue
        default: break
        }
    }

    private mutating func note(_ effect: ExchangeMachine.Effect) -> String? {
        if isDecided, effect != .cancelTask, effect != .deliver { return "the effect \(effect) follows the end" }
        switch effect {
        case .transmit(let number), .adapt(let number), .join(let number):
            if openTask != nil { return "two tasks run" }
            (openTask, isCancelled) = (number, false)
            startingTasks.insert(number)
            guard case .transmit = effect else { break }
            if isBodySent, machine.message.hasBody, !machine.message.isIdempotent, !isPermitted {
                return "the body is sent twice"
            }
            (isBodySent, isPermitted) = (false, false)
        case .cancelTask:
            if openTask == nil || isCancelled { return "a task is cancelled that does not run" }
            isCancelled = true
        case .notifySent, .notifyProgress, .notifyRetry, .notifyJoined, .awaitTurn, .putBack: operations += 1
        case .end:
            isDecided = true
            operations += 1
        case .deliver:
            if !isDecided || isDelivered { return "the outcome is delivered twice" }
            isDelivered = true
        default: break
        }
        return nil
    }
}
