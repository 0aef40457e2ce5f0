/// What a queue knows and decides, without a socket, a clock or a task: what happens goes in, what is to be done comes out.
///
/// Adding, starting and finishing take constant time on the average, cancelling a selection time in proportion to what
/// is in the queue.
package struct QueueState<Request: Identifiable> where Request.ID: Comparable {
    package typealias Outcome = Result<RESTResponse, RequestError>
    package typealias Reason = RequestQueue.SuspensionReason

    /// What is to be done, in this order.
    package enum Effect {
        case wasSuspended(Reason)
        case wasUnsuspended(Reason)
        /// Nothing was loading, and something is.
        case didBeginLoading
        /// Nothing is loading any more, and nothing can be started.
        case didFinishLoading
        case start(Request)
        case finish(Request, Outcome)
        /// It has its outcome; if it was loading, that ends too.
        case cancel(Request, wasLoading: Bool)
    }

    /// How many requests of higher priority may pass one that waits.
    package static var patience: Int { 16 }

    package private(set) var suspensionReasons: Set<Reason>
    package private(set) var limit: Int
    private var waiting: [Request.ID: Request] = [:]
    private var loading: [Request.ID: Request] = [:]
    /// A line a priority, of those that wait; it may hold some that were cancelled meanwhile.
    private var lines: [WaitingLine<Request.ID>]
    /// How many passed the first of each line since it is the first.
    private var passed: [Int]
    private var effects: [Effect] = []
    private var hasBegun = false

    /// - Parameter limit: How many may be loading at once; below 1 it is 1.
    package init(limit: Int, suspensionReasons: Set<Reason>) {
        self.limit = max(limit, 1)
        self.suspensionReasons = suspensionReasons
        lines = RequestQueue.Priority.allCases.map { _ in WaitingLine() }
        passed = RequestQueue.Priority.allCases.map { _ in 0 }
    }

    package var isSuspended: Bool { !suspensionReasons.isEmpty }
    package var waitingCount: Int { waiting.count }
    package var loadingCount: Int { loading.count }
    package var count: Int { waiting.count + loading.count }

    /// All requests, in the order of their identifiers.
    package var requests: [Request] { (Array(loading.values) + waiting.values).sorted { $0.id < $1.id } }

    /// What is to be done for all that happened since it was asked last.
    package mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    package mutating func add(_ request: Request, priority: RequestQueue.Priority) {
        waiting[request.id] = request
        lines[priority.rawValue].append(request.id)
        startRequests()
    }

    /// A request that is loading has its outcome; of any other this is late news, without effect.
    package mutating func finish(_ id: Request.ID, _ outcome: Outcome) {
        guard let request = loading.removeValue(forKey: id) else { return }
        effects.append(.finish(request, outcome))
        startRequests()
    }

    package mutating func cancel(_ id: Request.ID) {
        if let request = loading.removeValue(forKey: id) {
            effects.append(.cancel(request, wasLoading: true))
        } else if let request = waiting.removeValue(forKey: id) {
            effects.append(.cancel(request, wasLoading: false))
            dropCancelled()
        }
        startRequests()
    }

    /// Cancels all that match, in the order of their identifiers, before any other is started.
    package mutating func cancel(where isSelected: (Request) -> Bool) {
        for request in requests.filter(isSelected) {
            waiting[request.id] = nil
            let wasLoading = loading.removeValue(forKey: request.id) != nil
            effects.append(.cancel(request, wasLoading: wasLoading))
        }
        dropCancelled()
        startRequests()
    }

    package mutating func suspend(for reason: Reason) {
        let wasSuspended = isSuspended
        suspensionReasons.insert(reason)
        if !wasSuspended { effects.append(.wasSuspended(reason)) }
    }

    package mutating func resume(for reason: Reason) {
        guard suspensionReasons.remove(reason) != nil, !isSuspended else { return }
        effects.append(.wasUnsuspended(reason))
        startRequests()
    }

    /// - Parameter limit: Below 1 it is 1. What is loading above a smaller limit goes on.
    package mutating func setLimit(_ limit: Int) {
        self.limit = max(limit, 1)
        startRequests()
    }

    /// Starts what may be started; every change ends with it.
    private mutating func startRequests() {
        while !isSuspended, loading.count < limit, let request = takeNext() {
            if !hasBegun { effects.append(.didBeginLoading) }
            hasBegun = true
            loading[request.id] = request
            effects.append(.start(request))
        }
        if hasBegun, loading.isEmpty {
            hasBegun = false
            effects.append(.didFinishLoading)
        }
    }

    /// Takes the request whose turn it is out of those that wait.
    private mutating func takeNext() -> Request? {
        var chosen: Int?
        for index in lines.indices.reversed() {
            while let id = lines[index].first, waiting[id] == nil { _ = lines[index].takeFirst() }
            guard lines[index].first != nil else {
                passed[index] = 0
                continue
            }
            if chosen == nil || passed[index] >= Self.patience { chosen = index }
        }
        guard let chosen, let id = lines[chosen].takeFirst() else { return nil }
        passed[chosen] = 0
        for index in 0..<chosen where lines[index].first != nil { passed[index] += 1 }
        return waiting.removeValue(forKey: id)
    }

    /// Cancelled requests leave their lines when these are mostly made of them.
    private mutating func dropCancelled() {
        guard lines.reduce(0, { $0 + $1.count }) > 2 * waiting.count + 64 else { return }
        for index in lines.indices { lines[index].removeAll { waiting[$0] == nil } }
    }
}

extension QueueState: Sendable where Request: Sendable, Request.ID: Sendable {}
extension QueueState.Effect: Sendable where Request: Sendable {}
