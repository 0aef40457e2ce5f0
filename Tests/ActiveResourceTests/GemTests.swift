import ActiveResource
import LoopbackServer
import TestSupport
import Testing

/// The requests of Ruby's Active Resource, recorded by `Gem/record.rb`: the same calls send the same requests.
@Suite("Requests that the gem sends")
struct GemTests {
    /// A call of the gem, and what it sent and received.
    struct Recording: Mappable, Sendable {
        struct Exchange: Mappable, Sendable {
            var request = ""
            var headers: [String: String] = [:]
            var body = ""
            var status = 0
            var responseHeaders: [String: String] = [:]
            var response = ""

            static let mapping = Mapping(Exchange.init) {
                Attribute("request", \.request)
                Attribute("headers", \.headers)
                Attribute("body", \.body)
                Attribute("status", \.status)
                Attribute("responseHeaders", \.responseHeaders)
                Attribute("response", \.response)
            }
        }

        var call = ""
        var error: String?
        var exchanges: [Exchange] = []

        /// The kind of our error for the gem's.
        var kind: ResourceError.Kind? {
            let name = error?.split(separator: ":").last.map(String.init) ?? ""
            switch name {
            case "MissingPrefixParam": return .missingPrefixOption
            default:
                let words = name.trimmingPrefix("Resource")
                return ResourceError.Kind(rawValue: words.prefix(1).lowercased() + words.dropFirst())
            }
        }

        static let mapping = Mapping(Recording.init) {
            Attribute("call", \.call)
            Attribute("error", \.error)
            Relationship("exchanges", \.exchanges)
        }
    }

    static let recordings = Result {
        try Recording.mapping.mapAll(resourceData("Tests/ActiveResourceTests/Gem/recorded.json"))
    }

    /// Calls whose difference from the gem is intended, and why.
    static let differences = [
        // The gem loses the prefix options by the response, so that it cannot reload.
        "Address.find(params: { person_id: 1 }).reload",
        // The gem passes these on as if they were records.
        "Status.find(204)", "Status.find(304)", "Status.find(308)",
    ]

    @Test(arguments: GemCall.all) func `A call sends the requests of the gem, and fails with the same error`(
        _ call: GemCall
    ) async throws {
        let recording = try #require(try Self.recordings.get().first { $0.call == call.ruby })
        let replies = Replies(
            recording.exchanges.map { exchange in
                Answer(
                    exchange.status, headers: exchange.responseHeaders.map { Header($0.key, $0.value) },
                    body: exchange.response.utf8)
            })
        let service = try Service { _ in replies.next() }
        let error = try await Service.$site.withValue(ResourceSite(service.server.url).with(call.site)) {
            () async throws -> ResourceError? in
            do { try await call.run() } catch let error as ResourceError { return error }
            return nil
        }
        // What echoes the request is not a record of any type, which the gem does not notice.
        if recording.exchanges.first?.request.contains("/echo/") != true { #expect(error?.kind == recording.kind) }
        try #require(service.received.count == recording.exchanges.count)
        for (sent, expected) in zip(service.received, recording.exchanges) {
            #expect("\(sent.method) \(sent.target)" == Self.encodingPath(of: expected.request))
            #expect(Self.comparable(sent.headers) == Self.comparable(expected.headers.map { Header($0.key, $0.value) }))
            let bodies = try [sent.body, expected.body].map { try Self.comparable($0, sent.method) }
            #expect(bodies[0] == bodies[1])
        }
    }

    /// A request with `%20` instead of `+` in its path, where the gem encodes identifiers like values of a query.
    private static func encodingPath(of request: String) -> String {
        let path = request.prefix { $0 != "?" }
        return String(path).replacing("+", with: "%20") + request[path.endIndex...]
    }

    /// The header fields that the gem sets by name.
    private static func comparable(_ headers: [Header]) -> [String: String] {
        let fields = headers.map { ($0.name.lowercased(), $0.value) }
            .filter { ["accept", "content-type", "authorization"].contains($0.0) || $0.0.hasPrefix("x-") }
        return Dictionary(fields) { $1 }
    }

    /// The JSON of a body; a new record's null attributes, which Swift leaves out, do not count.
    private static func comparable(_ body: String, _ method: String) throws -> JSON? {
        if body.isEmpty { return nil }
        let json = try JSON(body)
        guard method == "POST", let object = json.object else { return json }
        return .object(JSONObject(object.filter { !$0.value.isNull }))
    }

    @Test func `Each recorded call is compared or a known difference`() throws {
        let calls = try Self.recordings.get().map(\.call)
        let compared = GemCall.all.map { $0.ruby }
        #expect(Set(calls) == Set(compared + Self.differences))
        #expect(calls.count == GemCall.all.count + Self.differences.count)
    }
}
