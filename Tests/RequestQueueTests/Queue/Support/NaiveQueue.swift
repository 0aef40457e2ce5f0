import RequestQueue

/// What a queue does, written as plainly as it can be, to compare ``QueueState`` with.
struct NaiveQueue {
    var limit: Int
    var reasons: Set<RequestQueue.SuspensionReason>
    var waiting: [(id: Int, priority: RequestQueue.Priority)] = []
    var loading: [Int] = []
    private var passed: [RequestQueue.Priority: Int] = [:]
    private var told: [String] = []
    private var hasBegun = false

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

    mutating func finish(_ id: Int) {
        if let index = loading.firstIndex(of: id) {
            loading.remove(at: index)
            told.append("finish \(id)")
        }
        settle()
    }

    mutating func cancel(where isSelected: (Int) -> Bool) {
        for id in (loading + waiting.map(\.id)).filter(isSelected).sorted() {
            told.append(loading.contains(id) ? "stop \(id)" : "drop \(id)")
        }
        loading.removeAll(where: isSelected)
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

    private mutating func settle() {
        while reasons.isEmpty, loading.count < limit, !waiting.isEmpty {
            for priority in RequestQueue.Priority.allCases where !waiting.contains(where: { $0.priority == priority }) {
                passed[priority] = 0
            }
            let highest = waiting.map(\.priority).max() ?? .normal
            let patient = RequestQueue.Priority.allCases.first { passed[$0, default: 0] >= 16 }
            let chosen = patient ?? highest
            guard let index = waiting.firstIndex(where: { $0.priority == chosen }) else { return }
            let (id, _) = waiting.remove(at: index)
            passed[chosen] = 0
            for lower in Set(waiting.map(\.priority)) where lower < chosen { passed[lower, default: 0] += 1 }
            if !hasBegun { told.append("begin") }
            hasBegun = true
            loading.append(id)
            told.append("start \(id)")
        }
        if hasBegun, loading.isEmpty {
            hasBegun = false
            told.append("end")
        }
    }
}
