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
        /// The number of the attempt is unique in the queue.
        case start(Request, attempt: Int)
        /// A request that waited for its next attempt is sent again.
        case sendAgain(Request)
        case finish(Request, Outcome)
        /// It has its outcome; if it was loading, that ends too.
        case cancel(Request, wasLoading: Bool)
        /// What was started ends, and nobody is told: it waits again.
        case putBack(Request)
        /// In a moment ``settle(_:attempt:)`` is to be called: whether its failure is the network's is not known yet.
        case doubt(Request, attempt: Int)
        /// When the limit is over, ``endUndetermined(change:)`` is to be called.
        case awaitLink(change: Int)
    }

    struct Waiting {
        let request: Request
        /// The last attempt, which was put back; nil if there was none.
        var attempt: Int?
    }

    struct Loading {
        let request: Request
        let attempt: Int
        let place: Place
        /// At its start.
        let linkChanges: Int
        /// Its failure, as long as that may be the network's.
        var doubted: Outcome?
    }

    /// Where in the line a request belongs, also after it has left it.
    struct Place {
        let id: Request.ID
        let priority: RequestQueue.Priority
        /// Counts all that were ever added.
        let number: Int
    }

    /// How many requests of higher priority may pass one that waits.
    package static var patience: Int { 16 }

    package private(set) var suspensionReasons: Set<Reason>
    package private(set) var limit: Int
    var waiting: [Request.ID: Waiting] = [:]
    var loading: [Request.ID: Loading] = [:]
    /// Which of the loading ones wait for their next attempt, and leave their slot to others meanwhile.
    private var backingOff: Set<Request.ID> = []
    /// Which of these wait for a slot only.
    private var ready = WaitingLine<Request.ID>()
    var link = QueueLink()
    var effects: [Effect] = []
    /// A line a priority, of those that wait; it may hold some that were cancelled meanwhile.
    private var lines: [WaitingLine<Place>]
    /// How many passed the first of each line since it is the first.
    private var passed: [Int]
    private var lastNumber = 0
    private var lastAttempt = 0
    private var hasBegun = false

    /// - Parameter limit: How many may be loading at once; below 1 it is 1.
    package init(limit: Int, suspensionReasons: Set<Reason>) {
        self.limit = max(limit, 1)
        self.suspensionReasons = suspensionReasons
        lines = RequestQueue.Priority.allCases.map { _ in WaitingLine() }
        passed = RequestQueue.Priority.allCases.map { _ in 0 }
    }

    package var isSuspended: Bool { !suspensionReasons.isEmpty }
    /// Whether requests wait for something that comes without the user.
    var awaitsReturn: Bool { isSuspended && !waiting.isEmpty && !suspensionReasons.contains(.user) }
    package var waitingCount: Int { waiting.count }
    package var loadingCount: Int { loading.count }
    package var count: Int { waiting.count + loading.count }

    /// All requests, in the order of their identifiers.
    package var requests: [Request] {
        (loading.values.map(\.request) + waiting.values.map(\.request)).sorted { $0.id < $1.id }
    }

    /// What is to be done for all that happened since it was asked last.
    package mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    package mutating func add(_ request: Request, priority: RequestQueue.Priority) {
        lastNumber += 1
        waiting[request.id] = Waiting(request: request)
        lines[priority.rawValue].append(Place(id: request.id, priority: priority, number: lastNumber))
        startRequests()
    }

    /// An attempt has ended.
    ///
    /// Late news of an earlier attempt are without effect, but for the response of one that was put back and waits.
    ///
    /// - Parameter isUnsent: Whether it failed for want of a connection, before a byte of it went.
    package mutating func finish(_ id: Request.ID, attempt: Int, _ outcome: Outcome, isUnsent: Bool = false) {
        if let request = loading[id], request.attempt == attempt {
            if isUnsent, link.mayBeAway {
                hold(request, outcome)
            } else {
                _ = takeLoading(id)
                effects.append(.finish(request.request, outcome))
            }
        } else if let request = waiting[id], request.attempt == attempt, case .success = outcome {
            waiting[id] = nil
            effects.append(.finish(request.request, outcome))
            dropCancelled()
        }
        startRequests()
    }

    package mutating func cancel(_ id: Request.ID) {
        if let request = takeLoading(id) {
            effects.append(.cancel(request.request, wasLoading: true))
        } else if let request = waiting.removeValue(forKey: id) {
            effects.append(.cancel(request.request, wasLoading: false))
            dropCancelled()
        }
        startRequests()
    }

    /// Cancels all that match, in the order of their identifiers, before any other is started.
    package mutating func cancel(where isSelected: (Request) -> Bool) {
        for request in requests.filter(isSelected) {
            waiting[request.id] = nil
            let wasLoading = takeLoading(request.id) != nil
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

    /// Puts a request that is loading back to its place in the line.
    package mutating func putBack(_ id: Request.ID) {
        moveBack(id)
        startRequests()
    }

    /// Puts a request back, without starting another.
    mutating func moveBack(_ id: Request.ID) {
        guard let request = takeLoading(id) else { return }
        waiting[id] = Waiting(request: request.request, attempt: request.attempt)
        let place = request.place
        lines[place.priority.rawValue].insert(place) { $0.number > place.number }
        effects.append(.putBack(request.request))
    }

    /// An attempt failed, and the next one is later: another request may have the slot, unless the order is strict.
    package mutating func beginBackoff(_ id: Request.ID, attempt: Int) {
        guard limit > 1, loading[id]?.attempt == attempt else { return }
        backingOff.insert(id)
        startRequests()
    }

    /// It is time for the next attempt, which begins when there is a slot.
    package mutating func endBackoff(_ id: Request.ID, attempt: Int) {
        guard let request = loading[id], request.attempt == attempt else { return }
        if backingOff.contains(id) { ready.append(id) } else { effects.append(.sendAgain(request.request)) }
        startRequests()
    }

    /// Takes a request out of those that are loading.
    mutating func takeLoading(_ id: Request.ID) -> Loading? {
        backingOff.remove(id)
        return loading.removeValue(forKey: id)
    }

    private var hasSlot: Bool { loading.count - backingOff.count < limit }

    /// Starts what may be started; every change ends with it.
    mutating func startRequests() {
        while hasSlot, let id = ready.takeFirst() {
            guard backingOff.remove(id) != nil, let request = loading[id] else { continue }
            effects.append(.sendAgain(request.request))
        }
        while !isSuspended, hasSlot, let (request, place) = takeNext() {
            if !hasBegun { effects.append(.didBeginLoading) }
            hasBegun = true
            lastAttempt += 1
            loading[request.id] = Loading(
                request: request, attempt: lastAttempt, place: place, linkChanges: link.changes)
            effects.append(.start(request, attempt: lastAttempt))
        }
        if hasBegun, loading.isEmpty {
            hasBegun = false
            effects.append(.didFinishLoading)
        }
    }

    /// Takes the request whose turn it is out of those that wait.
    private mutating func takeNext() -> (Request, Place)? {
        var chosen: Int?
        for index in lines.indices.reversed() {
            while let place = lines[index].first, waiting[place.id] == nil { _ = lines[index].takeFirst() }
            guard lines[index].first != nil else {
                passed[index] = 0
                continue
            }
            if chosen == nil || passed[index] >= Self.patience { chosen = index }
        }
        guard let chosen, let place = lines[chosen].takeFirst() else { return nil }
        passed[chosen] = 0
        for index in 0..<chosen where lines[index].first != nil { passed[index] += 1 }
        return waiting.removeValue(forKey: place.id).map { ($0.request, place) }
    }

    /// Cancelled requests leave their lines when these are mostly made of them.
    private mutating func dropCancelled() {
        guard lines.reduce(0, { $0 + $1.count }) > 2 * waiting.count + 64 else { return }
        for index in lines.indices { lines[index].removeAll { waiting[$0.id] == nil } }
    }
}

extension QueueState: Sendable where Request: Sendable, Request.ID: Sendable {}
extension QueueState.Waiting: Sendable where Request: Sendable {}
extension QueueState.Loading: Sendable where Request: Sendable, Request.ID: Sendable {}
extension QueueState.Place: Sendable where Request.ID: Sendable {}
extension QueueState.Effect: Sendable where Request: Sendable {}
