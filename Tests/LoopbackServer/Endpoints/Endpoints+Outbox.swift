import MappingDigests

extension Endpoints {
    static let outbox: [String: Endpoint] = [
        "/outbox": apply,
        "/outbox-stats": { request in
            let outbox = request.remember { $0.outbox }
            return Answer(json: [
                "received": .number(outbox.received), "applied": .number(outbox.order.count),
                "duplicates": .number(outbox.received - outbox.order.count),
                "order": .array(outbox.order.map { .string($0) }),
            ])
        },
    ]

    private static func apply(_ request: Request) throws -> Answer {
        guard let key = request.headers["idempotency-key"] else {
            return Answer(400, json: ["error": "no Idempotency-Key"])
        }
        let digest = SHA256.hex(of: try request.body())
        let drop = request.query["drop"]
        if drop == "before" { return .none(.close) }
        let outcome = request.remember { $0.outbox.apply(key, digest) }
        switch outcome {
        case _ where drop == "after": return .none(.close)
        case .applied(let count):
            return drop == "odd" && count % 2 == 1
                ? .none(.close) : Answer(201, json: ["applied": true, "key": .string(key)])
        case .repeated: return Answer(json: ["applied": false, "key": .string(key)])
        case .conflict: return Answer(422, json: ["error": "the key was used with another body"])
        }
    }
}
