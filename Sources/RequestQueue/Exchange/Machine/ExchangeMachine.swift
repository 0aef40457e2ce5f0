/// The life of one request as a state machine, from its start to its outcome.
///
/// It is a value without locks, clocks and closures: an input is an occurrence, with counts and times but without bytes;
/// an effect is an action to perform. ``Exchange`` guards it with a lock and performs the effects outside of the lock.
/// Each step is ended by one input before the next step begins, so a late input cannot be taken for that of a later step.
struct ExchangeMachine: Hashable, Sendable {
    let rules: Rules
    var stage = Stage.created
    /// The phase that errors report.
    var phase = RequestError.Phase.preparing
    var course = Course()
    /// The current transfer, or the last one.
    var transfer = Transfer()
    /// The running task: a transfer, the adapters, or the wait for an identical request.
    var task: RunningTask?
    /// The number of tasks that were started, which identifies them.
    var tasks = 0
    /// The request that is sent.
    var message = Message()
    /// The request before its adapters changed it, which is adapted again for each attempt.
    var original = Message()
    var deadlines: Deadlines
    var isInBackground = false
    /// Whether the request begins again when the current step has ended.
    var isRestarting = false
    /// Whether the observer uses the events of the transfer.
    var isListening = true
    /// The number of operations that delay the delivery of the outcome.
    var holds = 0

    init(_ rules: Rules = Rules()) {
        self.rules = rules
        deadlines = Deadlines(rules.timeouts, start: .zero)
    }

    /// Whether the outcome is decided.
    var isEnded: Bool { stage == .ended || stage == .delivered }

    /// Whether a task is running.
    func isRunning(_ number: Int) -> Bool { number == tasks && task != nil }

    /// Whether a head was received that will be used.
    var isReadingHead: Bool { transfer.isReadingHead && !isEnded }

    /// The instant of the next check of the timeouts; `nil` if no check is required.
    func nextCheck(after now: Duration) -> Duration? {
        isEnded || isRestarting || stage == .suspended ? nil : deadlines.nextCheck(after: now)
    }

    /// Processes an input, and appends the effects that follow from it.
    mutating func handle(_ input: Input, at now: Duration, into effects: inout Effects) {
        switch (stage, input) {
        case (_, .started(let number)) where holds > 0: didStart(number, &effects)
        case (_, .released) where holds > 0: release(&effects)
        case (.ended, .finished): task = nil
        case (.ended, _), (.delivered, _): break
        case (.committing, .committed(nil)): end(.response, &effects)
        case (.committing, .committed(let failure?)): end(.failure(failure), &effects)
        // The download is being moved to its destination, so the request can no longer be cancelled.
        case (.committing, _): break

        case (.created, .start): begin(&effects)
        case (_, .cancel): end(.failure(.cancelled), &effects)
        case (_, .enteredBackground), (_, .backgroundTimeExpired), (_, .enteredForeground):
            changeLifecycle(input, &effects)
        case _ where isRestarting && endsStep(input):
            task = nil
            begin(&effects)

        case (.starting, .begun(let message, let joins)):
            (self.message, original) = (message, message)
            deadlines = Deadlines(rules.timeouts, start: now)
            if joins { join(at: now, &effects) } else { beginHop(at: now, &effects) }
        case (.adapting, .adapted(let message)):
            self.message = message
            if transfer.next == nil { lookUp(at: now, &effects) } else { didFinish(nil, at: now, &effects) }
        case (.lookingUp, .lookedUp(let use)): didLookUp(use, at: now, &effects)
        case (.authorizing, .authorized): transmit(at: now, &effects)
        case (.redirecting, .redirected(let message)):
            (self.message, original) = (message, message)
            course.redirects += 1
            beginHop(at: now, &effects)
        case (.backingOff, .alarm) where rules.isQueued:
            stage = .awaitingTurn
            call(.awaitTurn, &effects)
        case (.backingOff, .alarm), (.awaitingTurn, .turn): beginAttempt(at: now, &effects)
        case (.reopening(let retry), .reopened(let isReopened)): didReopen(isReopened, for: retry, &effects)
        case (.finishing, .received(let isFile)): didReceive(isFile: isFile, at: now, &effects)
        case (.concluding, .concluded(isFinal: true)): end(.response, &effects)
        case (.concluding, .concluded(isFinal: false)) where transfer.head?.status == 304 && message.isIdempotent:
            // A stored response was not confirmed, so the request is sent without a condition.
            authorize(isAnswer: false, at: now, &effects)
        case (.saving, .saved):
            stage = .committing
            effects.append(.commit)
        case (.joined, .joinedSent): notifySent(&effects)
        case (.joined, .joinedEvent): notify(.notifyJoined, &effects)
        case (.joined, .joinedEnded):
            task = nil
            end(.joined, &effects)
        case (.finishing, .failed(let failure)), (.adapting, .finished(let failure?, _)):
            didFinish(failure, at: now, &effects)
        // A failure of a task that will be followed by its end, or of an earlier step.
        case (_, .failed) where isRestarting, (.created, .failed), (.suspended, .failed): break
        case (_, .failed(let failure)): end(.failure(failure), &effects)
        case (_, .check): check(at: now, &effects)
        case (.transferring, _):
            if !handleTransfer(input, at: now, &effects), !input.canBeLate { failUnexpected(input, &effects) }
        default: if !input.canBeLate { failUnexpected(input, &effects) }
        }
    }
}

extension ExchangeMachine {
    /// Decides the outcome, which must be undecided.
    mutating func end(_ ending: Ending, _ effects: inout Effects) {
        stage = .ended
        cancelTask(&effects)
        // Released when the resources of the request are released.
        holds += 1
        effects.append(.end(ending))
    }

    /// Ends the request, because an input does not belong to the current step.
    mutating func failUnexpected(_ input: Input, _ effects: inout Effects) {
        effects.append(.report(input, stage))
        // A task that has ended is not cancelled.
        if case .finished = input { task = nil }
        let cause = "unexpected event '\(input)' in the state '\(stage)'; this is a defect of the transport"
        end(.failure(TransportFailure(.malformedResponse, cause)), &effects)
    }

    /// Notifies the observer of an event.
    mutating func notify(_ event: Effect, _ effects: inout Effects) {
        if rules.isObserved { call(event, &effects) }
    }

    /// Calls a closure of the sender; the outcome is delivered after it has returned.
    private mutating func call(_ effect: Effect, _ effects: inout Effects) {
        holds += 1
        effects.append(effect)
    }

    /// Notifies the observer that the request was sent, the first time.
    mutating func notifySent(_ effects: inout Effects) {
        if !course.isSentReported, isListening { notify(.notifySent, &effects) }
        course.isSentReported = true
    }

    private mutating func release(_ effects: inout Effects) {
        holds -= 1
        guard holds == 0, stage == .ended else { return }
        stage = .delivered
        effects.append(.deliver)
    }

    // MARK: Tasks

    /// Starts a task; the outcome is delivered after the start has returned.
    ///
    /// The receiver of the outcome can start another request, so this one must have left the transport first.
    mutating func startTask(_ effect: (Int) -> Effect, _ effects: inout Effects) {
        tasks += 1
        task = RunningTask()
        holds += 1
        effects.append(effect(tasks))
    }

    /// Cancels the task, now or as soon as it is started.
    mutating func cancelTask(_ effects: inout Effects) {
        guard let running = task, !running.isUnwanted else { return }
        task?.isUnwanted = true
        if running.isStarted { effects.append(.cancelTask) }
    }

    /// Processes the return of a task's start; the task may have ended, and a later one may have been started.
    private mutating func didStart(_ number: Int, _ effects: inout Effects) {
        if number == tasks, let running = task {
            task?.isStarted = true
            if running.isUnwanted {
                effects.append(.cancelTask)
            } else if running.resumes > 0 {
                effects.append(.resume(running.resumes))
            }
        }
        release(&effects)
    }

    // MARK: Background

    private mutating func changeLifecycle(_ input: Input, _ effects: inout Effects) {
        switch (input, rules.backgroundPolicy) {
        case (.enteredBackground, .cancel) where stage != .created:
            end(.failure(.cancelled), &effects)
        case (.backgroundTimeExpired, .continue) where stage != .created: end(.failure(.backgroundTimedOut), &effects)
        case (.enteredBackground, .requeue) where rules.isQueued: if stage != .created { call(.putBack, &effects) }
        case (.enteredBackground, .requeue):
            isInBackground = true
            stop(&effects)
        case (.enteredForeground, .requeue):
            isInBackground = false
            if stage == .suspended { begin(&effects) }
        default: break
        }
    }

    private mutating func stop(_ effects: inout Effects) {
        switch stage {
        case .created: break
        case .suspended, .backingOff, .awaitingTurn: stage = .suspended
        default:
            isRestarting = true
            cancelTask(&effects)
        }
    }

    /// Whether an input ends the current step.
    private func endsStep(_ input: Input) -> Bool {
        switch input {
        case .finished, .adapted, .joinedEnded: task != nil
        case .begun, .lookedUp, .authorized, .redirected, .received, .concluded, .saved, .reopened, .failed: task == nil
        default: false
        }
    }
}

extension ExchangeMachine.Input {
    /// Whether the input can arrive after the step that it belongs to.
    fileprivate var canBeLate: Bool {
        switch self {
        case .start, .alarm, .turn, .consumed, .resumed, .bodyOpened, .bodyWaits, .bodyResumes, .joinedSent,
            .joinedEvent:
            true
        default: false
        }
    }
}
