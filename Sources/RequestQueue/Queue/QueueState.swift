/// The state machine of a queue, without sockets, clocks or tasks: its input are changes, its output are effects.
///
/// Adding, starting and finishing a request take amortized constant time; cancelling a selection takes time in proportion
/// to the number of requests in the queue.
package struct QueueState<Request: Identifiable & Sendable>: Sendable where Request.ID: Comparable & Sendable {
    package typealias Outcome = Result<RESTResponse, RequestError>
    package typealias Reason = RequestQueue.SuspensionReason

    /// An action that the caller performs, in order.
    package enum Effect: Sendable {
        case wasSuspended(Reason)
        case wasUnsuspended(Reason)
        /// The first request begins to load.
        case didBeginLoading
        /// The last loading request ended, and no other can start.
        case didFinishLoading
        /// Starts a request; the number of the attempt is unique in the queue.
        case start(Request, attempt: Int)
        /// Sends a request again after its backoff.
        case sendAgain(Request)
        indirect case finish(Request, Outcome)
        /// Ends a request as cancelled, and its exchange if it was loading.
        case cancel(Request, wasLoading: Bool)
        /// Stops a request without an event; it waits again.
        case putBack(Request)
        /// Calls ``settle(_:attempt:)`` after a short time: it is not known yet whether the network caused the failure.
        case holdFailure(Request, attempt: Int)
        /// Calls ``endUndetermined(change:)`` after the limit for an undetermined state.
        case awaitLink(change: Int)
    }

    struct Waiting: Sendable {
        let request: Request
        /// The last attempt, which was requeued; `nil` if the request was not started yet.
        var attempt: Int?
    }

    struct Loading: Sendable {
        let request: Request
        let attempt: Int
        let place: Place
        /// The number of reachability changes when it started.
        let linkChanges: Int
    }

    /// The position of a request in the order; a requeued request returns to it.
    struct Place: Sendable {
        let id: Request.ID
        let priority: RequestQueue.Priority
        /// The number of the request in the order of adding.
        let number: Int
    }

    /// The maximum number of requests of higher priority that overtake a waiting request.
    package static var overtakingLimit: Int { 16 }

    package private(set) var suspensionReasons: Set<Reason>
    package private(set) var limit: Int
    var waiting: [Request.ID: Waiting] = [:]
    var loading: [Request.ID: Loading] = [:]
    /// The loading requests that wait for their next attempt and occupy no slot meanwhile.
    private var backingOff: Set<Request.ID> = []
    /// The loading requests that started without a slot.
    private var additional: Set<Request.ID> = []
    /// The requests of `backingOff` whose delay is over and that wait for a slot.
    private var ready = FIFOQueue<Request.ID>()
    /// The failures of loading requests that the network may have caused.
    var heldOutcomes: [Request.ID: Outcome] = [:]
    var link = QueueLink()
    var effects: [Effect] = []
    /// The waiting requests by priority; may contain cancelled requests.
    private var lines: [FIFOQueue<Place>]
    /// How many requests overtook the first request of each priority.
    private var overtakes: [Int]
    private var lastNumber = 0
    private var lastAttempt = 0
    private var hasBegun = false

    /// - Parameters:
    ///   - limit: The maximum number of loading requests; values below 1 are raised to 1.
    ///   - suspensionReasons: The initial reasons; empty for a queue that runs.
    package init(limit: Int, suspensionReasons: Set<Reason>) {
        self.limit = max(limit, 1)
        self.suspensionReasons = suspensionReasons
        lines = RequestQueue.Priority.allCases.map { _ in FIFOQueue() }
        overtakes = RequestQueue.Priority.allCases.map { _ in 0 }
    }

    package var isSuspended: Bool { !suspensionReasons.isEmpty }
    /// Whether requests wait for an event other than a call of the user.
    var resumesAutomatically: Bool { isSuspended && !waiting.isEmpty && !suspensionReasons.contains(.user) }
    package var waitingCount: Int { waiting.count }
    package var loadingCount: Int { loading.count }
    package var count: Int { waiting.count + loading.count }

    /// All requests, in the order of their identifiers.
    package var requests: [Request] {
        (loading.values.map(\.request) + waiting.values.map(\.request)).sorted { $0.id < $1.id }
    }

    /// Returns the effects of all changes since the last call.
    package mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    /// Uses the memory of performed effects for the next ones.
    mutating func reuse(_ performed: consuming [Effect]) {
        guard effects.isEmpty, performed.capacity <= 64 else { return }
        performed.removeAll(keepingCapacity: true)
        effects = performed
    }

    /// Adds a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - priority: Its priority.
    ///   - needsSlot: Whether it waits for a slot; otherwise it starts immediately, unless the queue is suspended. Defaults
    ///     to `true`.
    package mutating func add(_ request: Request, priority: RequestQueue.Priority, needsSlot: Bool = true) {
        lastNumber += 1
        let place = Place(id: request.id, priority: priority, number: lastNumber)
        if needsSlot || isSuspended {
            waiting[request.id] = Waiting(request: request)
            lines[priority.rawValue].append(place)
        } else {
            additional.insert(request.id)
            start(request, at: place)
        }
        startRequests()
    }

    /// Handles the end of an attempt.
    ///
    /// The end of an earlier attempt has no effect, except for a response to a request that was requeued and still waits.
    ///
    /// - Parameters:
    ///   - id: The request.
    ///   - attempt: The number of the attempt.
    ///   - outcome: The response or the error.
    ///   - isUnsent: Whether no connection was established and no byte was sent. Defaults to `false`.
    package mutating func finish(_ id: Request.ID, attempt: Int, _ outcome: Outcome, isUnsent: Bool = false) {
        if let request = loading[id], request.attempt == attempt {
            if isUnsent, link.mayBeUnreachable {
                holdFailure(of: request, outcome)
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

    /// Cancels all matching requests in the order of their identifiers, before another request starts.
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

    /// Sets the maximum number of loading requests; loading requests above a lower limit continue.
    ///
    /// - Parameter limit: The limit; values below 1 are raised to 1.
    package mutating func setLimit(_ limit: Int) {
        self.limit = max(limit, 1)
        startRequests()
    }

    /// Returns a loading request to its position among the waiting requests; has no effect on a later attempt.
    package mutating func putBack(_ id: Request.ID, attempt: Int) {
        if loading[id]?.attempt == attempt { moveBack(id) }
        startRequests()
    }

    /// Returns a loading request to its position, without starting another.
    mutating func moveBack(_ id: Request.ID) {
        guard let request = takeLoading(id) else { return }
        waiting[id] = Waiting(request: request.request, attempt: request.attempt)
        let place = request.place
        lines[place.priority.rawValue].insert(place) { $0.number > place.number }
        effects.append(.putBack(request.request))
    }

    /// Frees the slot of a request that waits for its next attempt, unless the limit of 1 makes the order strict.
    package mutating func beginBackoff(_ id: Request.ID, attempt: Int) {
        guard limit > 1, loading[id]?.attempt == attempt, !additional.contains(id) else { return }
        backingOff.insert(id)
        startRequests()
    }

    /// Begins the next attempt of a request as soon as a slot is free.
    package mutating func endBackoff(_ id: Request.ID, attempt: Int) {
        guard let request = loading[id], request.attempt == attempt else { return }
        if backingOff.contains(id) { ready.append(id) } else { effects.append(.sendAgain(request.request)) }
        startRequests()
    }

    /// Removes a request from the loading requests.
    mutating func takeLoading(_ id: Request.ID) -> Loading? {
        backingOff.remove(id)
        additional.remove(id)
        heldOutcomes[id] = nil
        return loading.removeValue(forKey: id)
    }

    private var hasSlot: Bool { loading.count - backingOff.count - additional.count < limit }

    private mutating func start(_ request: Request, at place: Place) {
        if !hasBegun { effects.append(.didBeginLoading) }
        hasBegun = true
        lastAttempt += 1
        loading[request.id] = Loading(request: request, attempt: lastAttempt, place: place, linkChanges: link.changes)
        effects.append(.start(request, attempt: lastAttempt))
    }

    /// Starts the requests that may start; called at the end of every change.
    mutating func startRequests() {
        while hasSlot, let id = ready.takeFirst() {
            guard backingOff.remove(id) != nil, let request = loading[id] else { continue }
            effects.append(.sendAgain(request.request))
        }
        while !isSuspended, hasSlot, let (request, place) = takeNext() { start(request, at: place) }
        if hasBegun, loading.isEmpty {
            hasBegun = false
            effects.append(.didFinishLoading)
        }
    }

    /// Removes and returns the next waiting request.
    private mutating func takeNext() -> (Request, Place)? {
        var chosen: Int?
        for index in lines.indices.reversed() {
            while let place = lines[index].first, waiting[place.id] == nil { _ = lines[index].takeFirst() }
            guard lines[index].first != nil else {
                overtakes[index] = 0
                continue
            }
            if chosen == nil || overtakes[index] >= Self.overtakingLimit { chosen = index }
        }
        guard let chosen, let place = lines[chosen].takeFirst() else { return nil }
        overtakes[chosen] = 0
        for index in 0..<chosen where lines[index].first != nil { overtakes[index] += 1 }
        return waiting.removeValue(forKey: place.id).map { ($0.request, place) }
    }

    /// Removes cancelled requests from the lines when they are the majority.
    private mutating func dropCancelled() {
        guard lines.reduce(0, { $0 + $1.count }) > 2 * waiting.count + 64 else { return }
        for index in lines.indices { lines[index].removeAll { waiting[$0.id] == nil } }
    }
}
