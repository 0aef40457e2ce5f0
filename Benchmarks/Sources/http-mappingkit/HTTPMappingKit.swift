import FoundationEssentials
import HTTPPeer
import RequestQueue

/// MappingKit: calls of a client; with the argument `queue`, a queue with a subscriber to its events, and with `awaited`,
/// a queue without subscribers.
@main struct HTTPMappingKit: HTTPPeer {
    private enum Interface: String { case client, queue, awaited }
    private let interface: Interface

    static func main() async {
        await serve(
            HTTPMappingKit(interface: CommandLine.arguments.last.flatMap { Interface(rawValue: $0) } ?? .client))
    }

    func text(of url: String) async throws -> String {
        let (client, path) = try client(for: url)
        return try await client.get(path).text ?? ""
    }

    func get(_ url: String, count: Int, concurrency: Int) async throws -> Tally {
        let (client, path) = try client(for: url)
        if interface == .queue {
            return await queued(client.request(.get, path), count: count, concurrency: concurrency)
        }
        let queue = interface == .awaited ? RequestQueue(concurrentRequestsLimit: concurrency) : nil
        queue?.start()
        return try await repeated(count, concurrency: concurrency) { tally in
            let response =
                if let queue { try await queue.send(client.request(.get, path)) } else { try await client.get(path) }
            tally.add(status: response.status, bytes: response.body.count)
        }
    }

    /// Adds all requests to a running queue, and counts its events.
    private func queued(_ request: RESTRequest, count: Int, concurrency: Int) async -> Tally {
        let queue = RequestQueue(concurrentRequestsLimit: concurrency)
        let events = queue.events
        queue.start()
        async let tally = tally(events, count: count)
        for _ in 0..<count { queue.add(request) }
        return await tally
    }

    private func tally(_ events: RequestQueue.Events, count: Int) async -> Tally {
        var (tally, outcomes) = (Tally(), 0)
        for await event in events {
            guard let outcome = event.outcome else { continue }
            if let response = try? outcome.get() { tally.add(status: response.status, bytes: response.body.count) }
            outcomes += 1
            if outcomes == count { break }
        }
        return tally
    }

    func upload(_ file: String, to url: String) async throws -> String {
        let (client, path) = try client(for: url)
        let params = Params()
        params.set("Blue kettle", for: "title")
        try params.set(file: URL(filePath: file), for: "film")
        return try await client.request(.post, path, params).onProgress { _ in }.send().text ?? ""
    }

    func cancel(_ url: String, in phase: String, count: Int) async throws -> [Int] {
        let (client, path) = try client(for: url)
        let queue = RequestQueue()
        var request = client.request(phase == "sending" ? .post : .get, path)
        if phase == "sending" { request.setBody(.data(Data(count: 8 << 20))) }
        var latencies: [Int] = []
        // On a busy machine some requests have not reached the phase yet; they do not count.
        for _ in 0..<(3 * count) where latencies.count < count {
            let (outcomes, continuation) = AsyncStream.makeStream(of: (RequestError?, ContinuousClock.Instant).self)
            let completion: @Sendable (Result<RESTResponse, RequestError>) -> Void = { result in
                if case .failure(let error) = result { continuation.yield((error, .now)) }
                continuation.finish()
            }
            let cancel: @Sendable () -> Void
            if phase == "preparing" {
                let queued = queue.add(request, completion: completion)
                cancel = { queued.cancel() }
            } else {
                let handle = request.send(completion: completion)
                cancel = { handle.cancel() }
            }
            try await Task.sleep(for: .milliseconds(10))
            let start = ContinuousClock.now
            cancel()
            for await (error, end) in outcomes {
                guard let error, error.kind == .cancelled else {
                    throw PeerError("not cancelled: \(error?.details ?? "it succeeded")")
                }
                guard error.phase.rawValue == phase else { continue }
                latencies.append(Int((end - start) / .nanoseconds(1)))
            }
        }
        return latencies
    }

    private func client(for url: String) throws -> (RESTClient, path: String) {
        guard let url = URL(string: url), let base = URL(string: "/", relativeTo: url) else {
            throw PeerError("invalid URL")
        }
        return (RESTClient(baseURL: base.absoluteURL), url.path + (url.query.map { "?" + $0 } ?? ""))
    }
}
