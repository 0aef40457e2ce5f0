import RequestQueue

/// What a queue does, written as plainly as it can be, to compare ``QueueState`` with.
///
/// Requests are numbered in the order in which they are added.
struct NaiveQueue {
    struct Loading {
        let id: Int
        let priority: RequestQueue.Priority
        let attempt: Int
        let linkChanges: Int
        var isHeld = false
    }

    var limit: Int
    var reasons: Set<RequestQueue.SuspensionReason>
    var waiting: [(id: Int, priority: RequestQueue.Priority)] = []
    var loading: [Loading] = []
    var link: QueueLinkState?
    var waits = false
    var linkChanges = 0
    /// The last attempt of each request that was started.
    var attempts: [Int: Int] = [:]
    private var passed: [RequestQueue.Priority: Int] = [:]
    private var told: [String] = []
    private var hasBegun = false
    private var lastAttempt = 0

    init(limit: Int, reasons: Set<RequestQueue.SuspensionReason>) {
        self.limit = limit
        self.reasons = reasons
    }

    mutating func takeTold() -> [String] {
        defer { told = [] }
        return told
    }

    mutating func add(_ id: Int, _ priority: RequestQueue.Priority) {
        waiting.append((id, priority))
        settle()
    }

    mutating func finish(_ id: Int, attempt: Int, isResponse: Bool, isUnsent: Bool) {
        if let index = loading.firstIndex(where: { $0.id == id && $0.attempt == attempt }) {
            if !isUnsent || link == nil || !waits {
                loading.remove(at: index)
                told.append("finish \(id)")
            } else if link == .reachable, loading[index].linkChanges == linkChanges {
                loading[index].isHeld = true
                told.append("hold \(id)")
            } else {
                moveBack(id)
            }
        } else if isResponse, let index = waiting.firstIndex(where: { $0.id == id }), attempts[id] == attempt {
            waiting.remove(at: index)
            told.append("finish \(id)")
        }
        settle()
    }

    mutating func cancel(where isSelected: (Int) -> Bool) {
        for id in (loading.map(\.id) + waiting.map(\.id)).filter(isSelected).sorted() {
            told.append(loading.contains { $0.id == id } ? "stop \(id)" : "drop \(id)")
        }
        loading.removeAll { isSelected($0.id) }
        waiting.removeAll { isSelected($0.id) }
        settle()
    }

    mutating func suspend(_ reason: RequestQueue.SuspensionReason) {
        if reasons.isEmpty { told.append("suspended \(reason)") }
        reasons.insert(reason)
    }

    mutating func resume(_ reason: RequestQueue.SuspensionReason) {
        if reasons.remove(reason) != nil, reasons.isEmpty { told.append("unsuspended \(reason)") }
        settle()
    }

    mutating func setLimit(_ limit: Int) {
        self.limit = max(1, limit)
        settle()
    }

    mutating func putBack(_ id: Int) {
        moveBack(id)
        settle()
    }

    mutating func enterBackground() {
        suspend(.background)
        for id in loading.map(\.id).sorted() {
            switch StateRequest(id: id).policy {
            case .cancel: cancel { $0 == id }
            case .requeue: putBack(id)
            case .none, .continue: break
            }
        }
    }

    mutating func setLink(_ link: QueueLinkState?, waits: Bool) {
        if link == self.link, waits == self.waits { return }
        self.link = link
        self.waits = waits
        linkChanges += 1
        for request in loading.filter(\.isHeld).sorted(by: { $0.id < $1.id }) {
            if waits { moveBack(request.id) } else { settle(request.id, attempt: request.attempt) }
        }
        if link == .undetermined || (link == .unreachable && waits) {
            suspend(.reachability)
        } else {
            resume(.reachability)
        }
        if link == .undetermined { told.append("await \(linkChanges)") }
        settle()
    }

    mutating func endUndetermined(change: Int) {
        if link == .undetermined, linkChanges == change { setLink(.reachable, waits: waits) }
    }

    mutating func settle(_ id: Int, attempt: Int) {
        if let index = loading.firstIndex(where: { $0.id == id && $0.attempt == attempt && $0.isHeld }) {
            loading.remove(at: index)
            told.append("finish \(id)")
        }
        settle()
    }

    private mutating func moveBack(_ id: Int) {
        guard let index = loading.firstIndex(where: { $0.id == id }) else { return }
        let request = loading.remove(at: index)
        waiting.append((id, request.priority))
        waiting.sort { $0.id < $1.id }
        told.append("back \(id)")
    }

    private mutating func settle() {
        while reasons.isEmpty, loading.count < limit, !waiting.isEmpty {
            for priority in RequestQueue.Priority.allCases where !waiting.contains(where: { $0.priority == priority }) {
                passed[priority] = 0
            }
            let highest = waiting.map(\.priority).max() ?? .normal
            let patient = RequestQueue.Priority.allCases.first { passed[$0, default: 0] >= 16 }
            let chosen = patient ?? highest
            guard let index = waiting.firstIndex(where: { $0.priority == chosen }) else { return }
            let (id, priority) = waiting.remove(at: index)
            passed[chosen] = 0
            for lower in Set(waiting.map(\.priority)) where lower < chosen { passed[lower, default: 0] += 1 }
            if !hasBegun { told.append("begin") }
            hasBegun = true
            lastAttempt += 1
            attempts[id] = lastAttempt
            loading.append(Loading(id: id, priority: priority, attempt: lastAttempt, linkChanges: linkChanges))
            told.append("start \(id)")
        }
        if hasBegun, loading.isEmpty {
            hasBegun = false
            told.append("end")
        }
    }
}
