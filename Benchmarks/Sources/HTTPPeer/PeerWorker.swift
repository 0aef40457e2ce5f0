#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Serves the runner, so that peers in separate processes can run alternately. Each line on standard input is
/// answered with one on standard output:
///
///     text URL                      the body of a GET
///     get URL COUNT CONCURRENCY     nanoseconds, responses with status 200, bytes of their bodies
///     upload URL COUNT FILE         nanoseconds, and the text of the last response
///     cancel URL COUNT PHASE        nanoseconds from each cancellation to its outcome
///
/// A failure is answered with `failed` and the reason.
package func serve(_ peer: some HTTPPeer) async {
    while let line = readLine() {
        do {
            print(try await answer(line.split(separator: " ", maxSplits: 3).map(String.init), of: peer))
        } catch {
            print("failed \(line): \(error)")
        }
        fflush(nil)
    }
}

private func answer(_ words: [String], of peer: some HTTPPeer) async throws -> String {
    switch (words.first, words.count) {
    case ("text", 2): return try await peer.text(of: words[1])
    case ("get", 4):
        guard let count = Int(words[2]), let concurrency = Int(words[3]) else { break }
        let start = ContinuousClock.now
        let tally = try await peer.get(words[1], count: count, concurrency: concurrency)
        return "\(nanoseconds(since: start)) \(tally.responses) \(tally.bytes)"
    case ("upload", 4):
        guard let count = Int(words[2]) else { break }
        let start = ContinuousClock.now
        var text = ""
        for _ in 0..<count { text = try await peer.upload(words[3], to: words[1]) }
        return "\(nanoseconds(since: start)) \(text)"
    case ("cancel", 4):
        guard let count = Int(words[2]) else { break }
        return try await peer.cancel(words[1], in: words[3], count: count).map(String.init).joined(separator: " ")
    default: break
    }
    throw PeerError("unknown command")
}

private func nanoseconds(since start: ContinuousClock.Instant) -> Int {
    Int((ContinuousClock.now - start) / .nanoseconds(1))
}
