import Foundation
import LoopbackServer
import RequestQueue
import Synchronization

extension Fault {
    /// Processes that are stopped during a request.
    static let stops: [Fault] = [
        // Five seconds at the server, less for the client, which is stopped for three of them.
        stopping("a download, by SIGSTOP for 3 s", SIGSTOP, of: { download($0) }, "200, 10000 bytes, attempt 1"),
        stopping("a download, by the terminal for 3 s", SIGTSTP, of: { download($0) }, "200, 10000 bytes, attempt 1"),
        stopping("an upload, by SIGSTOP for 3 s", SIGSTOP, of: { upload($0) }, "200, "),
        stopping("an upload, by the terminal for 3 s", SIGTSTP, of: { upload($0) }, "200, "),
        stopping(
            "a download, by SIGSTOP for 30 s", SIGSTOP, for: .seconds(30), quickCount: 0, of: { download($0) },
            "200, 10000 bytes, attempt 1"),
        stopping(
            "a download, by the terminal, with the policy cancel", SIGTSTP, for: .milliseconds(100),
            of: { download($0, "cancel") }, "cancelled: "),
        stopping(
            "a download, by the terminal, with the policy requeue", SIGTSTP, for: .milliseconds(100),
            of: { download($0, "requeue", total: nil) }, "200, 10000 bytes, attempt 1"),
        Fault("F26", "a download, by the terminal, with the policy continue", count: 2, quickCount: 1) { trial in
            await trial.repeated(atOnce: 2) { _ in
                let (said, goingOn) = try await trial.stop(
                    download(trial, "continue", total: nil), by: SIGTSTP, for: .milliseconds(100))
                trial.expect(said == "200, 10000 bytes, attempt 1", "it said: \(said)")
                trial.expect(goingOn > .seconds(3), "it continued for \(goingOn)")
            }
        },
        givingUp("a server that closes the connection meanwhile, without retries", attempts: 1, "truncatedResponse: "),
        givingUp("a server that closes the connection meanwhile, with retries", attempts: 2, "200, 2 bytes, attempt 2"),
    ]
}

/// Requests that are stopped, with their expected output.
private func stopping(
    _ name: String, _ signal: Int32, for time: Duration = .seconds(3), quickCount: Int = 1,
    of transfer: @escaping @Sendable (Trial) -> Transfer, _ beginning: String
) -> Fault {
    Fault("F26", name, count: 2, quickCount: quickCount) { trial in
        await trial.repeated(atOnce: 2) { _ in
            let (said, _) = try await trial.stop(transfer(trial), by: signal, for: time)
            trial.expect(said.hasPrefix(beginning), "it said: \(said)")
        }
    }
}

/// A server that sends half of its first response and disconnects while the client is stopped.
private func givingUp(_ name: String, attempts: Int, _ beginning: String) -> Fault {
    Fault("F26", name, on: [.none], count: 2, quickCount: 1) { trial in
        await trial.repeated(atOnce: 2) { _ in
            let count = Mutex(0)
            let server = try LoopbackServer { request in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number > 1 { return Answer(200, body: Data("ok".utf8)) }
                return nil
            }
            let transfer = Transfer(url: server.url("/stall?after=100").absoluteString, attempts: attempts)
            let (said, _) = try await trial.stop(transfer, by: SIGSTOP, for: .seconds(3)) { server.release() }
            trial.expect(said.hasPrefix(beginning), "it said: \(said)")
            trial.expect(count.withLock { $0 } == attempts, "the server received \(count.withLock { $0 }) times")
        }
    }
}

private func download(_ trial: Trial, _ policy: String = "none", total: Double? = 4) -> Transfer {
    Transfer(url: trial.url("/slow?n=10000&bps=2000"), policy: policy, total: total)
}

private func upload(_ trial: Trial) -> Transfer {
    Transfer(method: "POST", url: trial.url("/sink?hash=0&bps=4000000"), bytes: 6_000_000)
}
