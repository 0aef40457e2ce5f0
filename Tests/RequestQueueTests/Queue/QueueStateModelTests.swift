import RequestQueue
import TestSupport
import Testing

/// Compares the state of a queue with a plain model, over everything that can happen to it.
@Suite struct QueueStateModelTests {
    private var state: QueueState<StateRequest>
    private var model: NaiveQueue
    private var outcomes: [Int: Int] = [:]
    private var count = 0
    /// Each attempt that was started.
    private var attempts: [(id: Int, attempt: Int)] = []

    init() {
        state = QueueState(limit: 1, suspensionReasons: [])
        model = NaiveQueue(limit: 1, reasons: [])
    }

    @Test(arguments: 0..<20)
    func `Random events give the results of a simple model, and each request has one outcome`(block: Int) {
        for seed in block * 100..<(block + 1) * 100 {
            var run = Self()
            var random = SeededGenerator(seed: seed)
            guard let failure = run.run(steps: 120, with: &random) else { continue }
            Issue.record("seed \(seed): \(failure)")
            return
        }
    }

    /// Does the same to both; the first difference.
    private mutating func run(steps: Int, with random: inout SeededGenerator) -> String? {
        let limit = Int.random(in: 1...4, using: &random)
        let reasons: Set<RequestQueue.SuspensionReason> = Bool.random(using: &random) ? [.user] : []
        state = QueueState(limit: limit, suspensionReasons: reasons)
        model = NaiveQueue(limit: limit, reasons: reasons)
        for step in 0..<steps {
            let operation = Int.random(in: 0..<130, using: &random)
            if operation < 100 { change(operation, &random) } else { leaveOrReturn(operation, &random) }
            if let difference = compare() { return "step \(step), operation \(operation): \(difference)" }
        }
        return finishAll()
    }

    /// What users and servers do.
    private mutating func change(_ operation: Int, _ random: inout SeededGenerator) {
        let id = Int.random(in: -1...max(count, 1), using: &random)
        let reason = RequestQueue.SuspensionReason.allCases.randomElement(using: &random) ?? .user
        switch operation {
        case ..<35:
            let priority = RequestQueue.Priority.allCases.randomElement(using: &random) ?? .normal
            state.add(count, priority: priority)
            model.add(count, priority)
            count += 1
        case ..<60: finish(model.loading.randomElement(using: &random).map { ($0.id, $0.attempt) }, operation % 3)
        case ..<66: finish(attempts.randomElement(using: &random), operation % 3)
        case ..<76:
            state.cancel(id)
            model.cancel { $0 == id }
        case ..<79:
            let divisor = Int.random(in: 1...5, using: &random)
            state.cancel { $0.id % divisor == 0 }
            model.cancel { $0 % divisor == 0 }
        case ..<83:
            state.suspend(for: reason)
            model.suspend(reason)
        case ..<95:
            state.resume(for: reason)
            model.resume(reason)
        default:
            let limit = Int.random(in: -1...4, using: &random)
            state.setLimit(limit)
            model.setLimit(limit)
        }
    }

    /// What the life cycle and the network do.
    private mutating func leaveOrReturn(_ operation: Int, _ random: inout SeededGenerator) {
        switch operation {
        case ..<106:
            state.enterBackground()
            model.enterBackground()
        case ..<109:
            let id = model.loading.randomElement(using: &random)?.id ?? 0
            state.putBack(id)
            model.putBack(id)
        case ..<120:
            let links: [QueueLinkState?] = [nil, .undetermined, .reachable, .unreachable, .reachable, .unreachable]
            let link = links.randomElement(using: &random) ?? nil
            let waits = Int.random(in: 0..<4, using: &random) > 0
            state.setLink(link, waits: waits)
            model.setLink(link, waits: waits)
        case ..<125:
            let change = model.linkChanges - Int.random(in: 0...1, using: &random)
            state.endUndetermined(change: change)
            model.endUndetermined(change: change)
        default:
            let held = model.loading.filter(\.isHeld).randomElement(using: &random)
            guard let (id, attempt) = held.map({ ($0.id, $0.attempt) }) ?? attempts.randomElement(using: &random)
            else { return }
            state.settle(id, attempt: attempt)
            model.settle(id, attempt: attempt)
        }
    }

    private mutating func finish(_ attempt: (id: Int, attempt: Int)?, _ way: Int) {
        guard let (id, attempt) = attempt else { return }
        let outcome: Result<RESTResponse, RequestError> = way == 0 ? .success(.plain) : .unsent
        state.finish(id, attempt: attempt, outcome, isUnsent: way == 1)
        model.finish(id, attempt: attempt, isResponse: way == 0, isUnsent: way == 1)
    }

    private mutating func compare() -> String? {
        let told = state.told()
        let expected = model.takeTold()
        if told != expected { return "\(told), not \(expected)" }
        let counts = [state.waitingCount, state.loadingCount, state.count, state.limit]
        let expectedCounts = [
            model.waiting.count, model.loading.count, model.waiting.count + model.loading.count, model.limit,
        ]
        if counts != expectedCounts { return "counts \(counts), not \(expectedCounts)" }
        if state.suspensionReasons != model.reasons { return "\(state.suspensionReasons), not \(model.reasons)" }
        for text in told {
            let words = text.split(separator: " ")
            switch words[0] {
            case "finish", "stop", "drop": outcomes[Int(words[1]) ?? -1, default: 0] += 1
            case "start":
                if state.loadingCount > state.limit { return "\(state.loadingCount) are loading" }
                if let id = Int(words[1]) { attempts.append((id, state.attempt(of: id))) }
            default: break
            }
        }
        if outcomes.values.contains(where: { $0 != 1 }) { return "two outcomes" }
        return outcomes.count + state.count == count
            ? nil : "\(outcomes.count) over and \(state.count) left of \(count)"
    }

    /// Finishes all requests, to verify that none is lost.
    private mutating func finishAll() -> String? {
        state.setLink(nil, waits: false)
        model.setLink(nil, waits: false)
        for reason in RequestQueue.SuspensionReason.allCases {
            state.resume(for: reason)
            model.resume(reason)
        }
        if let difference = compare() { return "in the end: \(difference)" }
        while let next = model.loading.first {
            finish((next.id, next.attempt), 0)
            if let difference = compare() { return "in the end: \(difference)" }
        }
        return outcomes.count == count ? nil : "\(outcomes.count) of \(count) have an outcome"
    }
}
