import Foundation

/// The peers in Swift, and the comparisons that need one process. `Benchmarks/run` calls it:
///
///     bench decode PEER SHAPE FILE     a worker, see `Worker`
///     bench payload FILE               a small payload, warm and with fresh mappings
///     bench operators FILE             collection operators, compared with loops over the same value
@main enum Bench {
    static func main() {
        do {
            try run(CommandLine.arguments.dropFirst())
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: ArraySlice<String>) throws {
        switch (arguments.first, Array(arguments.dropFirst())) {
        case ("decode", let names) where names.count == 3:
            guard let candidate = Candidate(peer: names[0], shape: names[1]) else {
                throw BenchError("\(names[0]) has no models for \(names[1])")
            }
            try Worker(candidate: candidate, data: file(names[2])).serve()
        case ("payload", let names) where names.count == 1: try comparePayload(file(names[0]))
        case ("operators", let names) where names.count == 1: try compareOperators(file(names[0]))
        default: throw BenchError("usage: bench decode PEER SHAPE FILE | payload FILE | operators FILE")
        }
    }

    private static func file(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }
}

/// The reason why nothing can be measured.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Prints a line for the runner without buffering.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Returns the nanoseconds that a closure takes.
func nanoseconds(_ body: () throws -> Void) rethrows -> Int {
    let start = ContinuousClock.now
    try body()
    return Int((ContinuousClock.now - start) / .nanoseconds(1))
}

/// Consumes results, so that the compiler cannot omit the work for them.
nonisolated(unsafe) var sink = 0
