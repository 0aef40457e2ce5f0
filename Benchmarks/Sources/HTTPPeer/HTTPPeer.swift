/// An HTTP client that the runner measures in a separate process.
package protocol HTTPPeer: Sendable {
    /// Returns the body of a GET as text.
    func text(of url: String) async throws -> String

    /// Sends GETs, up to a number concurrently, and receives their complete bodies.
    func get(_ url: String, count: Int, concurrency: Int) async throws -> Tally

    /// Posts a form with a field `title` and a file `film`; returns the text of the response.
    func upload(_ file: String, to url: String) async throws -> String

    /// Cancels sequential requests when they are in a phase; returns the nanoseconds to their outcomes.
    func cancel(_ url: String, in phase: String, count: Int) async throws -> [Int]
}

extension HTTPPeer {
    package func upload(_ file: String, to url: String) async throws -> String {
        throw PeerError("this peer cannot upload")
    }

    package func cancel(_ url: String, in phase: String, count: Int) async throws -> [Int] {
        throw PeerError("this peer cannot cancel")
    }
}

/// The result of a number of GETs.
package struct Tally: Sendable {
    /// The number of responses with status 200.
    package var responses = 0
    /// The number of bytes of their bodies.
    package var bytes = 0

    package init() {}

    package mutating func add(status: Int, bytes: Int) {
        guard status == 200 else { return }
        responses += 1
        self.bytes += bytes
    }
}

/// The reason why nothing can be measured.
package struct PeerError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Runs an operation a number of times, up to a number concurrently; each task starts the next operation after its own.
package func repeated(
    _ count: Int, concurrency: Int, _ body: @escaping @Sendable (inout Tally) async throws -> Void
) async throws -> Tally {
    try await withThrowingTaskGroup(of: Tally.self) { group in
        for index in 0..<concurrency {
            group.addTask {
                var tally = Tally()
                for _ in 0..<(count / concurrency + (index < count % concurrency ? 1 : 0)) { try await body(&tally) }
                return tally
            }
        }
        var all = Tally()
        for try await tally in group {
            all.responses += tally.responses
            all.bytes += tally.bytes
        }
        return all
    }
}
