/// The state of endpoints between requests.
struct EndpointMemory {
    /// The number of requests of a path with a `key`.
    private var attempts: [String: Int] = [:]
    var nonces = Nonces()
    var tokens = Tokens()
    var outbox = Outbox()

    /// Counts an attempt, from 1.
    mutating func attempt(_ request: Request) -> Int {
        attempts[request.path + " " + (request.query["key"] ?? ""), default: 0] += 1
        return attempts[request.path + " " + (request.query["key"] ?? "")] ?? 0
    }
}
