import Foundation
import LoopbackServer
import RequestQueue
import Synchronization

/// Serves at an address until it is killed; prints its port.
func serve(_ words: some Sequence<String>) async {
    do {
        let server = try LoopbackServer(address: Array(words).first ?? "127.0.0.1", recordLimit: 0)
        print("port \(server.port)")
        fflush(nil)
        try await server.wait { _, _ in false }
    } catch {
        print("\(error)")
    }
}

/// Sends requests to a URL through a queue that waits for the network, until a file exists, and prints the outcomes: a
/// line for each failure or missing outcome, then `N requests, N suspensions`.
func sendHeld(_ words: some Sequence<String>) async {
    let words = Array(words)
    guard words.count == 2, let url = URL(string: words[0]) else { return print("send URL FILE") }
    let client = RESTClient(baseURL: url)
    let queue = RequestQueue(concurrentRequestsLimit: 5)
    let suspensions = Mutex(0)
    let events = queue.events
    let counter = Task {
        for await event in events {
            if case .wasSuspended = event { suspensions.withLock { $0 += 1 } }
        }
    }
    queue.observeReachability(ReachabilityObserver(url: url), whenOffline: .wait)
    queue.start()
    let outcomes = Mutex<[Int: [String]]>([:])
    var count = 0
    while !FileManager.default.fileExists(atPath: words[1]) {
        let number = count
        queue.add(client.request(.get, "/ok?number=\(number)")) { outcome in
            let words = outcome.map { "\($0.status)" }
            outcomes.withLock { outcomes in
                switch words {
                case .success(let status): outcomes[number, default: []].append(status)
                case .failure(let error): outcomes[number, default: []].append("\(error)")
                }
            }
        }
        count += 1
        try? await Task.sleep(for: .milliseconds(5))
    }
    await queue.waitUntilFinished()
    // Completions are called after the queue is empty, and a second one would be late.
    while outcomes.withLock({ $0.count }) < count { try? await Task.sleep(for: .milliseconds(5)) }
    try? await Task.sleep(for: .milliseconds(50))
    counter.cancel()
    for number in 0..<count {
        let told = outcomes.withLock { $0[number] ?? [] }
        if told != ["200"] { print("request \(number): \(told)") }
    }
    print("\(count) requests, \(suspensions.withLock { $0 }) suspensions")
    fflush(nil)
}
