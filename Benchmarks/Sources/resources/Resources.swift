import ActiveResource
import LoopbackServer

/// `resources ROUNDS`: finds and lists records of a server in this process, with a resource, and with a client and a mapping.
///
/// Prints a line for each case, with its name, the number of records, and the median nanoseconds of both.
@main struct Resources {
    static func main() async throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 9
        let client = RESTClient(baseURL: Service.url)
        let find = try await compare(
            rounds,
            resource: {
                for _ in 0..<1000 { try check(await Person.find(1).age, 1) }
            },
            byHand: {
                for _ in 0..<1000 {
                    let response = try await client.get("/people/1.json", headers: ["Accept": "application/json"])
                    try check(Person.mapping.map(response.body).age, 1)
                }
            })
        let list = try await compare(
            rounds,
            resource: { try check(await Person.all().records.count, Service.count) },
            byHand: {
                let response = try await client.get("/people.json", headers: ["Accept": "application/json"])
                try check(Person.mapping.mapAll(response.body).count, Service.count)
            })
        for (name, count, times) in [("find", 1000, find), ("list", Service.count, list)] {
            print("\(name)\t\(count)\t\(times.resource)\t\(times.byHand)")
        }
    }

    struct WrongResult: Error { let found: Int?, expected: Int }

    static func check(_ found: Int?, _ expected: Int) throws {
        guard found == expected else { throw WrongResult(found: found, expected: expected) }
    }

    /// Returns the median nanoseconds of both, which run alternately after a warm-up round.
    static func compare(
        _ rounds: Int, resource: @Sendable () async throws -> Void, byHand: @Sendable () async throws -> Void
    ) async throws -> (resource: Int64, byHand: Int64) {
        var times: (resource: [Int64], byHand: [Int64]) = ([], [])
        for round in 0...rounds {
            let (first, second) = (try await time(resource), try await time(byHand))
            if round > 0 {
                times.resource.append(first)
                times.byHand.append(second)
            }
        }
        return (median(times.resource), median(times.byHand))
    }

    static func time(_ body: @Sendable () async throws -> Void) async throws -> Int64 {
        let start = ContinuousClock.now
        try await body()
        let duration = start.duration(to: .now).components
        return duration.seconds * 1_000_000_000 + duration.attoseconds / 1_000_000_000
    }

    static func median(_ values: [Int64]) -> Int64 { values.sorted()[values.count / 2] }
}

struct Person: Resource {
    static let site = ResourceSite(Service.url)
    var id: Int?
    var name = ""
    var age: Int?
    var email = ""
    var isActive = false
    var resource = ResourceState()

    static let mapping = Mapping(Person.init) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("age", \.age)
        Attribute("email", \.email)
        Attribute("active", \.isActive)
    }
}

/// The server, with one record and a list of many.
enum Service {
    static let count = 10_000

    static let url = server?.url ?? URL(filePath: "/")

    private static let server: LoopbackServer? = {
        let (one, all) = (Array(record(1).utf8), Array("[\((1...count).map(record).joined(separator: ","))]".utf8))
        return try? LoopbackServer { request in
            Answer(
                headers: [Header("Content-Type", "application/json")],
                body: request.target == "/people/1.json" ? one : all)
        }
    }()

    static func record(_ number: Int) -> String {
        """
        {"id":\(number),"name":"Person \(number)","age":\(number % 90),"email":"p\(number)@example.com","active":true}
        """
    }
}
