import Foundation
import RequestQueue
import TestSupport

extension Fault {
    /// Many requests: memory, descriptors and threads do not grow.
    static let soak: [Fault] = [
        Fault("F28", "GETs, 16 at a time", on: [.loopback, .nginx], count: 20_000, quickCount: 800) { trial in
            await trial.steadily(warmUp: 2000) { count in
                await trial.many(count) { try await trial.client.get("/ok").status == 200 }
            }
        },
        Fault("F28", "GETs through a queue", on: [.loopback, .nginx], count: 20_000, quickCount: 800) { trial in
            let queue = RequestQueue(concurrentRequestsLimit: 16)
            queue.start()
            let counter = Task {
                var outcomes = 0
                for await event in queue.events where event.outcome != nil { outcomes += 1 }
                return outcomes
            }
            await trial.steadily(warmUp: 2000) { count in
                await trial.many(count) { try await queue.add(trial.request(.get, "/ok")).response.status == 200 }
            }
            await queue.waitUntilFinished()
            let left = queue.count
            trial.expect(left == 0, "\(left) requests are left in the queue")
            counter.cancel()
        },
        Fault("F28", "forms of 1 MiB from a file", on: [.loopback], count: 1000, quickCount: 50) { trial in
            let (folder, params) = (try TemporaryDirectory(), Params())
            try params.set(file: folder.write(Data(count: 1 << 20), to: "film"), for: "film")
            params.set("title", for: "title")
            await trial.steadily(warmUp: 100) { count in
                await trial.many(count) { try await trial.client.post("/upload?hash=0", params).status == 200 }
            }
        },
        Fault("F28", "cancelled, timed out and refused requests", on: [.loopback], count: 2000, quickCount: 200) {
            trial in
            let port = try freePort()
            await trial.steadily(warmUp: 200) { count in
                await trial.many(count / 3) { try await trial.client.get("http://127.0.0.1:\(port)/").status < 0 }
                await trial.many(count / 3) {
                    var request = trial.request(.get, "/hold")
                    request.timeouts.idle = .milliseconds(5)
                    return try await request.send().status < 0
                }
                await trial.many(count / 3) {
                    let task = Task { try await trial.client.get("/hold").status < 0 }
                    await Task.yield()
                    task.cancel()
                    return try await task.value
                }
            }
        },
    ]
}

extension Trial {
    /// Sends a number of requests, 16 at a time; unexpected failures are reported.
    fileprivate func many(_ count: Int, _ body: @escaping @Sendable () async throws -> Bool) async {
        await withTaskGroup(of: Void.self) { group in
            for start in 0..<16 {
                group.addTask {
                    for run in stride(from: start, to: count, by: 16) {
                        do {
                            if try await !body() { self.inRun(run) { self.fail("another status than 200") } }
                        } catch {
                            self.inRun(run) { self.noteUnlessMeant(error) }
                        }
                    }
                }
            }
        }
    }

    private func noteUnlessMeant(_ error: any Error) {
        let meant: Set<RequestError.Kind> = [.connectionRefused, .idleTimedOut, .cancelled]
        if let error = error as? RequestError, meant.contains(error.kind) { return }
        fail("\(error)")
    }

    /// Calls a body to warm up, and then as often as the fault says; meanwhile nothing may grow.
    fileprivate func steadily(warmUp: Int, _ body: (Int) async -> Void) async {
        await body(min(warmUp, count))
        let before = await Usage.settled()
        await body(count)
        let after = await Usage.settled()
        if Machine.isMemoryTrue {
            expect(
                after.megabytes - before.megabytes < 1, "memory grew from \(before.megabytes) to \(after.megabytes) MB")
        }
        // Some of 16 idle connections may just be closing.
        expect(
            after.descriptors <= before.descriptors + 16,
            "descriptors: \(before.descriptors), then \(after.descriptors)"
        )
        expect(after.threads <= before.threads, "threads: \(before.threads), then \(after.threads)")
    }
}

/// The resources of the process.
private struct Usage {
    let megabytes: Double
    let descriptors: Int
    let threads: Int

    /// The remaining resources after closed connections are removed.
    static func settled() async -> Usage {
        try? await Task.sleep(for: .milliseconds(300) * Machine.slack)
        Machine.trim()
        return Usage(
            megabytes: Machine.residentMegabytes ?? 0, descriptors: Machine.descriptors ?? 0,
            threads: Machine.threads ?? 0)
    }
}
