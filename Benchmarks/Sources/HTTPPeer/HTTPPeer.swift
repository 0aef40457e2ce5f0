/// A client of HTTP that the runner measures, in a process of its own.
package protocol HTTPPeer: Sendable {
    /// The text that a GET gets.
    func text(of url: String) async throws -> String

    /// Sends GETs, so many at a time, and takes their bodies whole.
    func get(_ url: String, count: Int, concurrency: Int) async throws -> Tally

    /// Posts a form of a field `title` and a file `film`; the text of the answer.
    func upload(_ file: String, to url: String) async throws -> String

    /// Cancels requests, one after the other, each when it is in a phase; the nanoseconds to their outcomes.
    func cancel(_ url: String, in phase: String, count: Int) async throws -> [Int]
}

extension HTTPPeer {
    package func upload(_ file: String, to url: String) async throws -> String { throw PeerError("it uploads nothing") }

    package func cancel(_ url: String, in phase: String, count: Int) async throws -> [Int] {
        throw PeerError("it cancels nothing")
    }
}

/// What came back.
package struct Tally: Sendable {
    /// Responses of status 200.
    package var responses = 0
    /// Bytes of their bodies.
    package var bytes = 0

    package init() {}

    package mutating func add(status: Int, bytes: Int) {
        guard status == 200 else { return }
        responses += 1
        self.bytes += bytes
    }
}

/// Why there is nothing to measure.
package struct PeerError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Does something so often, so many at a time, each in a task that begins the next when one is done.
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
