import Foundation
import ObjectMapping

/// Two ways to the same result, measured alternately in one process.
struct Comparison {
    let name: String
    /// The number of runs in a turn.
    let runs: Int
    let peer: () throws -> Void
    let ours: () throws -> Void

    /// Prints the name and both medians in nanoseconds, separated by tabs.
    func measure(turns: Int = 31) throws {
        var peerTimes: [Int] = []
        var ourTimes: [Int] = []
        for turn in 0...turns {
            let peerTime = try nanoseconds { for _ in 0..<runs { try peer() } }
            let ourTime = try nanoseconds { for _ in 0..<runs { try ours() } }
            // The first turn is a warm-up.
            if turn == 0 { continue }
            peerTimes.append(peerTime / runs)
            ourTimes.append(ourTime / runs)
        }
        say("\(name)\t\(peerTimes.sorted()[turns / 2])\t\(ourTimes.sorted()[turns / 2])")
    }
}

/// A small payload, with a reused decoder and mapping, and with new ones.
func comparePayload(_ data: Data) throws {
    for shape in ["tasks-dates", "tasks"] {
        let checksums = try ["JSONDecoder", "structs"].map { try Candidate(peer: $0, shape: shape)?.checksum(data) }
        guard checksums[0] == checksums[1] else { throw BenchError("\(shape): the values differ") }
    }
    let dates = JSONDecoder.forDates
    let texts = JSONDecoder()
    let comparisons = [
        Comparison(
            name: "warm, dates", runs: 200, peer: { sink &+= try dates.decode([DatedTask].self, from: data).count },
            ours: { sink &+= try DatedTask.mapping.mapAll(data).count }),
        Comparison(
            name: "warm", runs: 200, peer: { sink &+= try texts.decode([TextTask].self, from: data).count },
            ours: { sink &+= try TextTask.mapping.mapAll(data).count }),
        Comparison(
            name: "fresh, dates", runs: 200,
            peer: { sink &+= try JSONDecoder.forDates.decode([DatedTask].self, from: data).count },
            ours: { sink &+= try DatedTask.makeMapping().mapAll(data).count }),
        Comparison(
            name: "fresh", runs: 200,
            peer: { sink &+= try JSONDecoder().decode([TextTask].self, from: data).count },
            ours: { sink &+= try TextTask.makeMapping().mapAll(data).count }),
    ]
    for comparison in comparisons { try comparison.measure() }
}

/// Operators over an array of tasks, compared with loops that a user would write over the same value.
func compareOperators(_ data: Data) throws {
    let json = try JSON(data)
    func costs() -> (sum: Double, count: Int) {
        var sum = 0.0
        var count = 0
        for task in json.array ?? [] {
            guard let cost = task["cost"].double else { continue }
            sum += cost
            count += 1
        }
        return (sum, count)
    }
    func average() -> Double {
        let (sum, count) = costs()
        return sum / Double(count)
    }
    func names() -> [JSON] {
        var seen: Set<JSON> = []
        var names: [JSON] = []
        for task in json.array ?? [] {
            let name = task["project"]["name"]
            if seen.insert(name).inserted { names.append(name) }
        }
        return names
    }
    func value(_ path: JSONKeyPath) throws -> Double { try json.value(at: path)?.double ?? .nan }
    func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= abs(a) * 1e-9 }

    guard try isNear(value("@avg.cost"), average()), try isNear(value("@sum.cost"), costs().sum),
        try json.value(at: "@distinctUnionOfObjects.project.name") == .array(names())
    else { throw BenchError("operators and loops find different values") }
    let comparisons = [
        Comparison(
            name: "@avg", runs: 1, peer: { sink &+= Int(average()) }, ours: { sink &+= Int(try value("@avg.cost")) }),
        Comparison(
            name: "@sum", runs: 1, peer: { sink &+= Int(costs().sum) }, ours: { sink &+= Int(try value("@sum.cost")) }),
        Comparison(
            name: "@distinctUnionOfObjects", runs: 1, peer: { sink &+= names().count },
            ours: { sink &+= try json.value(at: "@distinctUnionOfObjects.project.name")?.array?.count ?? 0 }),
    ]
    for comparison in comparisons { try comparison.measure() }
}
