import Synchronization
import Testing

@testable import RequestQueue

@Suite("Retries decided by a closure")
struct DecidingTests {
    private func send(
        _ method: HTTPMethod = .get, policy: RetryPolicy, over transport: ScriptedTransport
    ) async throws -> RESTResponse {
        var request = try request(method, over: transport)
        request.retryPolicy = policy
        return try await request.send()
    }

    private static let policy = RetryPolicy(attempts: 3, baseDelay: .zero)

    @Test func `A response with any status can be retried`() async throws {
        let transport = ScriptedTransport(
            { $0.answer(403, ["X-RateLimit-Remaining": "0"]) }, { $0.answer(202) }, { $0.answer(200) })
        let policy = Self.policy.deciding { head in
            [202, 403].contains(head.status) ? .retry(after: .zero) : .standard
        }
        let response = try await send(policy: policy, over: transport)
        #expect(response.status == 200 && response.attempts == 3)
    }

    @Test func `A response with a transient status can be returned`() async throws {
        let transport = ScriptedTransport({ $0.answer(503, ["X-Maintenance": "1"]) })
        let policy = Self.policy.deciding { $0.headers["X-Maintenance"] == nil ? .standard : .respond }
        #expect(try await send(policy: policy, over: transport).attempts == 1)
    }

    @Test func `Other responses follow the statuses of the policy`() async throws {
        let transport = ScriptedTransport({ $0.answer(503) }, { $0.answer(404) })
        let response = try await send(policy: Self.policy.deciding { _ in .standard }, over: transport)
        #expect(response.status == 404 && response.attempts == 2)
    }

    @Test func `A request that must not be repeated is not retried`() async throws {
        let transport = ScriptedTransport({ $0.answer(403) })
        let policy = Self.policy.deciding { _ in .retry(after: .zero) }
        #expect(try await send(.post, policy: policy, over: transport).attempts == 1)
    }

    @Test(arguments: [RetryPolicy(attempts: 2, baseDelay: .zero), RetryPolicy(attempts: 9, maximumDelay: .seconds(1))])
    func `The limits of the policy apply`(_ policy: RetryPolicy) async throws {
        let transport = ScriptedTransport({ $0.answer(403) })
        let delay: Duration = policy.attempts == 2 ? .zero : .seconds(3)
        let response = try await send(policy: policy.deciding { _ in .retry(after: delay) }, over: transport)
        #expect(response.status == 403 && response.attempts == (policy.attempts == 2 ? 2 : 1))
    }

    @Test func `Without further attempts, the closure is not called`() async throws {
        let count = Mutex(0)
        let policy = RetryPolicy.none.deciding { _ in
            count.withLock { $0 += 1 }
            return .retry(after: .zero)
        }
        #expect(try await send(policy: policy, over: ScriptedTransport({ $0.answer(403) })).status == 403)
        #expect(count.withLock { $0 } == 0)
    }

    @Test func `Policies with different closures are not equal`() {
        let one = RetryPolicy.standard.deciding { _ in .standard }
        #expect(one == one && one != .standard && one != RetryPolicy.standard.deciding { _ in .standard })
    }
}
