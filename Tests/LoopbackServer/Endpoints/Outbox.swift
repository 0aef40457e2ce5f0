/// A service that applies each `Idempotency-Key` once.
struct Outbox {
    /// The keys in the order of application.
    private(set) var order: [String] = []
    /// The number of requests with a key.
    private(set) var received = 0
    private var digests: [String: String] = [:]

    enum Outcome {
        case applied(count: Int)
        case repeated
        /// The key was used with another body.
        case conflict
    }

    mutating func apply(_ key: String, _ digest: String) -> Outcome {
        received += 1
        if let known = digests[key] { return known == digest ? .repeated : .conflict }
        digests[key] = digest
        order.append(key)
        return .applied(count: order.count)
    }
}
