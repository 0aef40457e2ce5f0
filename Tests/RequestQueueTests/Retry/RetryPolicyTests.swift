import Testing

@testable import RequestQueue

@Suite("Retry policies")
struct RetryPolicyTests {
    private func delay(
        _ policy: RetryPolicy, after made: Int = 1, retryAfter: Duration? = nil, elapsed: Duration = .zero,
        timeLeft: Duration? = nil, chance: Double = 1
    ) -> Duration? {
        policy.delay(after: made, retryAfter: retryAfter, elapsed: elapsed, timeLeft: timeLeft, chance: chance)
    }

    @Test func `Delays double from the base to the maximum`() {
        let policy = RetryPolicy(attempts: 9, baseDelay: .seconds(1), maximumDelay: .seconds(30), totalTime: nil)
        let delays = (1...10).map { delay(policy, after: $0) }
        #expect(delays == [1, 2, 4, 8, 16, 30, 30, 30, nil, nil].map { $0.map { .seconds($0) } })
    }

    @Test(arguments: [0, 0.25, 0.5, 1.0]) func `The random number selects any part of a delay`(chance: Double) {
        let policy = RetryPolicy(baseDelay: .seconds(1))
        #expect(delay(policy, after: 3, chance: chance) == .seconds(4) * chance)
    }

    @Test(arguments: [
        (RetryPolicy.none, 1), (RetryPolicy(attempts: 0), 1), (RetryPolicy(attempts: -5), 1), (.standard, 4),
        (RetryPolicy(attempts: 2), 2),
    ])
    func `The number of attempts is limited`(policy: RetryPolicy, most: Int) {
        #expect((1...9).first { delay(policy, after: $0) == nil } == most)
    }

    @Test(arguments: [
        // Retry-After, its chance, the delay: never earlier, and a little later by chance.
        (0, 0.0, 0.0), (0, 1, 0.5), (3, 0, 3), (3, 1, 3.5), (30, 0.5, 30.25), (31, 0, nil),
    ])
    func `Retry-After is added to the delay, or prevents the retry`(asked: Int, chance: Double, delay: Double?) {
        #expect(
            self.delay(.standard, retryAfter: .seconds(asked), chance: chance) == delay.map { .seconds($0) })
    }

    @Test func `No attempt begins after the total time`() {
        let policy = RetryPolicy(baseDelay: .seconds(2), totalTime: .seconds(10))
        #expect(delay(policy, elapsed: .seconds(8)) == .seconds(2))
        #expect(delay(policy, elapsed: .seconds(8) + .nanoseconds(1)) == nil)
        #expect(delay(policy, retryAfter: .seconds(8), elapsed: .zero) == .seconds(10))
        #expect(delay(policy, retryAfter: .seconds(9), elapsed: .zero) == nil)
    }

    @Test(arguments: [Duration(attoseconds: .max), Duration(attoseconds: .min)])
    func `Any duration is a valid delay`(extreme: Duration) {
        let policy = RetryPolicy(baseDelay: .seconds(1), maximumDelay: Duration(attoseconds: .max), totalTime: nil)
        let longest = Duration.seconds(Int64(1) << 40)
        #expect(
            delay(policy, retryAfter: extreme, elapsed: .seconds(1), chance: 0)
                == (extreme > .zero ? longest : .zero))
    }

    @Test func `An attempt that would time out immediately is not made`() {
        let policy = RetryPolicy(baseDelay: .seconds(2))
        #expect(delay(policy, timeLeft: .seconds(2) + .nanoseconds(1)) == .seconds(2))
        #expect(delay(policy, timeLeft: .seconds(2)) == nil)
        #expect(delay(policy, timeLeft: .seconds(-1), chance: 0) == nil)
    }

    @Test(arguments: [
        RetryPolicy(attempts: .max, baseDelay: .seconds(Int64.max), maximumDelay: .seconds(Int64.max), totalTime: nil),
        RetryPolicy(baseDelay: .seconds(-1), maximumDelay: .seconds(Int64.max)),
        RetryPolicy(baseDelay: .seconds(1), maximumDelay: .seconds(-1)),
        RetryPolicy(baseDelay: .seconds(1), totalTime: .seconds(-1)),
    ])
    func `Extreme durations do not overflow`(policy: RetryPolicy) {
        for made in [1, 2, 62, 63, 64, 65, .max - 1] {
            let delay = delay(policy, after: made, retryAfter: .seconds(1 << 40), timeLeft: nil)
            #expect((delay ?? .zero) >= .zero)
            #expect((self.delay(policy, after: made) ?? .zero) >= .zero)
        }
    }

    // MARK: What may be sent twice

    private func hop(_ method: HTTPMethod, key: String? = nil) throws -> TransportRequest {
        TransportRequest(
            method: method, url: try #require(URL(string: "http://a.example/")),
            headers: key.map { ["idempotency-key": $0] } ?? [:])
    }

    @Test(arguments: [
        ("GET", true), ("HEAD", true), ("PUT", true), ("DELETE", true), ("OPTIONS", true), ("TRACE", true),
        ("POST", false), ("PATCH", false), ("LOCK", false), ("get", false),
    ])
    func `After a response only idempotent requests and requests with a key are retried`(
        method: String, isRepeated: Bool
    ) throws {
        let method = HTTPMethod(rawValue: method)
        #expect(try RetryPolicy.standard.covers(status: 503, isIdempotent: hop(method).isIdempotent) == isRepeated)
        #expect(try RetryPolicy.standard.covers(status: 503, isIdempotent: hop(method, key: "k").isIdempotent))
        #expect(try !RetryPolicy.standard.covers(status: 404, isIdempotent: hop(method, key: "k").isIdempotent))
    }

    @Test func `The transient statuses are retried`() throws {
        let hop = try hop(.get)
        let statuses = (100...599).filter { RetryPolicy.standard.covers(status: $0, isIdempotent: hop.isIdempotent) }
        #expect(statuses == [408, 425, 429, 500, 502, 503, 504])
    }

    @Test func `The transient failures are retried`() throws {
        let hop = try hop(.get)
        let kinds = RequestError.Kind.allCases.filter {
            RetryPolicy.standard.covers($0, in: .sending, isIdempotent: hop.isIdempotent)
        }
        #expect(
            kinds == [
                .hostNotFound, .connectionRefused, .connectionFailed, .connectionLost, .connectTimedOut, .idleTimedOut,
                .truncatedResponse,
            ])
    }

    @Test func `A POST without a key is retried only if nothing was sent`() throws {
        let hop = try hop(.post)
        for phase in [RequestError.Phase.connecting, .sending, .waiting, .receiving] {
            let kinds = RequestError.Kind.allCases.filter {
                RetryPolicy.standard.covers($0, in: phase, isIdempotent: hop.isIdempotent)
            }
            #expect(
                kinds
                    == (phase == .connecting
                        ? RequestError.Kind.allCases.filter(RetryPolicy.transientFailures.contains) : []))
        }
    }
}
