import MappingDigests
import Foundation
import LoopbackServer
import RequestQueue
import Synchronization

extension Fault {
    /// Servers that require authentication: the complete body arrives with the credentials, for any pieces of the
    /// challenge.
    static let authentication: [Fault] =
        ["/basic", "/digest?alg=MD5", "/digest?alg=SHA-256", "/digest?alg=MD5&drain=0", "/digest?alg=SHA-256&drain=0"]
        .flatMap { target in
            [
                Fault("F18", "a body to \(target)", count: 10, quickCount: 2) { trial in
                    let body = DataBody(Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }))
                    let digest = SHA256.hex(of: body.data)
                    await trial.repeated { _ in
                        let outcome = await trial.send(.post, target) { request in
                            request.authentication = .challenge(user: "user", password: "pass")
                            request.setBody(body)
                        }
                        outcome.expectResponse(200, in: trial)
                        trial.expect(outcome.answer["sha256"] as? String == digest, "other bytes: \(outcome.answer)")
                    }
                },
                Fault("F18", "a form of 64 MiB to \(target)", count: 2, quickCount: 0) { trial in
                    await trial.repeated { _ in await trial.sendLargeForm(to: target) }
                },
                Fault("F18", "a wrong password to \(target)", count: 10, quickCount: 2) { trial in
                    await trial.repeated { _ in
                        let before = await trial.requestCount(of: target)
                        await trial.send(.get, target) {
                            $0.authentication = .challenge(user: "user", password: "wrong")
                        }.expectResponse(401, in: trial)
                        let sent = await trial.requestCount(of: target) - before
                        trial.expect(sent == 2, "it was sent \(sent) times")
                    }
                },
                Fault("F18", "100 sequential requests to \(target)", count: 1) { trial in
                    let authentication = Authentication.challenge(user: "user", password: "pass")
                    let before = await trial.requestCount(of: target)
                    for _ in 0..<100 {
                        await trial.send(.get, target) { $0.authentication = authentication }
                            .expectResponse(200, in: trial)
                    }
                    let sent = await trial.requestCount(of: target) - before
                    trial.expect(sent == 101, "they were sent \(sent) times")
                },
            ]
        } + oddAuthentication + tokens

    private static let oddAuthentication: [Fault] = [
        Fault("F18", "a body that can be read once", count: 6, quickCount: 2) { trial in
            await trial.repeated { _ in
                await trial.send(.post, "/digest") { request in
                    request.authentication = .digest(user: "user", password: "pass")
                    request.setBody(
                        StreamBody(
                            AsyncStream<Data> {
                                $0.yield(Data(repeating: 7, count: 300_000))
                                $0.finish()
                            }))
                }.expectFailure([.bodyNotRepeatable], in: trial)
            }
        },
        Fault("F18", "an unknown authentication scheme", count: 6, quickCount: 2) { trial in
            await trial.repeated { _ in
                let before = await trial.requestCount(of: "/bearer")
                await trial.send(.get, "/bearer") { $0.authentication = .challenge(user: "user", password: "pass") }
                    .expectResponse(401, in: trial)
                let sent = await trial.requestCount(of: "/bearer") - before
                trial.expect(sent == 1, "it was sent \(sent) times")
            }
        },
        Fault(
            "F18", "a redirect to another server that requires authentication", on: [.loopback], count: 6, quickCount: 2
        ) { trial in
            let other = try LoopbackServer()
            await trial.repeated { _ in
                await trial.send(.get, "/redirect?to=\(other.url)/basic") {
                    $0.authentication = .basic(user: "user", password: "pass", forced: true)
                }.expectResponse(401, in: trial)
            }
            let told = other.requests.contains { $0.headers["authorization"] != nil }
            trial.expect(!told, "the password was sent to another origin")
        },
    ]

    /// Expired tokens.
    private static let tokens: [Fault] = [
        Fault("F18", "200 concurrent requests with an expired token", count: 3, quickCount: 1) { trial in
            let refreshes = Mutex(0)
            await trial.repeated { run in
                let token = BearerToken("expired") {
                    refreshes.withLock { $0 += 1 }
                    // All of them are refused before it arrives.
                    try await Task.sleep(for: .milliseconds(100))
                    return "t\(run)"
                }
                await trial.sendAtOnce(200, "/bearer?token=t\(run)", by: token) { $0.expectResponse(200, in: trial) }
            }
            let count = refreshes.withLock { $0 }
            trial.expect(count == trial.count, "\(count) refreshes instead of \(trial.count)")
        },
        Fault("F18", "50 concurrent requests, and a failed refresh", count: 3, quickCount: 1) { trial in
            await trial.repeated { _ in
                let refreshes = Mutex(0)
                let token = BearerToken("expired") {
                    refreshes.withLock { $0 += 1 }
                    throw RefreshRefused()
                }
                await trial.sendAtOnce(50, "/bearer", by: token) {
                    $0.expectFailure([.authenticationFailed], in: trial)
                }
                let count = refreshes.withLock { $0 }
                trial.expect((1...50).contains(count), "\(count) refreshes")
            }
        },
        Fault("F18", "a refresh that hangs", count: 3, quickCount: 1) { trial in
            await trial.repeated { _ in
                let limit = Duration.milliseconds(100)
                let token = BearerToken("expired", refreshLimit: limit) {
                    try await Task.sleep(for: .seconds(100))
                    return "late"
                }
                await trial.sendAtOnce(20, "/bearer", by: token) {
                    $0.expectFailure([.authenticationFailed], in: trial)
                }
            }
        },
        Fault("F18", "a token that is rejected twice", count: 6, quickCount: 2) { trial in
            await trial.repeated { _ in
                let before = await trial.requestCount(of: "/bearer")
                await trial.send(.get, "/bearer") { $0.authentication = .bearer(BearerToken("a") { "b" }) }
                    .expectResponse(401, in: trial)
                let sent = await trial.requestCount(of: "/bearer") - before
                trial.expect(sent == 2, "it was sent \(sent) times")
            }
        },
    ]
}

private struct RefreshRefused: Error {}

extension Trial {
    /// The number of requests for the path of a target.
    fileprivate func requestCount(of target: String) async -> Int {
        let path = String(target.prefix { $0 != "?" })
        if let loopback { return loopback.statistics.requestsByPath[path] ?? 0 }
        let paths = await send(.get, "/stats").answer["paths"] as? [String: Int]
        return paths?[path] ?? 0
    }

    fileprivate func sendAtOnce(
        _ count: Int, _ target: String, by token: BearerToken, _ check: @escaping @Sendable (Outcome) -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask { check(await self.send(.get, target) { $0.authentication = .bearer(token) }) }
            }
        }
    }

    /// Posts a form with a large file and compares the body after the challenge with one without a challenge.
    fileprivate func sendLargeForm(to target: String) async {
        let params = Params()
        params.set(data: Data(repeating: 7, count: 64 << 20), fileName: "large.bin", for: "large")
        let plain = await send(.post, "/sink?hash=1") { $0.setBody(params) }
        let outcome = await send(.post, target) { request in
            request.authentication = .challenge(user: "user", password: "pass")
            request.setBody(params)
        }
        outcome.expectResponse(200, in: self)
        let (bytes, digest) = (outcome.answer["bytes"] as? Int, outcome.answer["sha256"] as? String)
        expect(bytes == params.contentLength.map(Int.init), "\(bytes ?? -1) bytes were received")
        expect(
            digest != nil && digest == plain.answer["sha256"] as? String, "the received bytes differ from those sent")
    }
}
