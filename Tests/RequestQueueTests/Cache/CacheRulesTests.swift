import Testing

@testable import RequestQueue

@Suite("Rules for stored responses")
struct CacheRulesTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private func stored(_ control: String, tag: String? = "\"1\"") -> CachedResponse {
        var headers: HTTPHeaders = ["Cache-Control": control]
        headers["ETag"] = tag
        return CachedResponse(
            status: 200, headers: headers, body: Data(), requestTime: Self.start, responseTime: Self.start,
            variation: Variation(names: [], digest: ""))
    }

    private func rules(
        _ policy: CachePolicy, _ control: String = "", timeout: Duration = .zero, method: HTTPMethod = .get,
        headers: HTTPHeaders = [:]
    ) throws -> CacheRules? {
        var request = RESTRequest(method, url: URL(string: "http://h/"))
        request.cachePolicy = policy
        request.cacheTimeout = timeout
        request.headers = headers
        if !control.isEmpty { request.headers["Cache-Control"] = control }
        return CacheRules(
            request.cachePolicy, timeout: request.cacheTimeout, sent: try TransportRequest(checking: request))
    }

    @Test(arguments: [
        // Policy, the request's and the response's Cache-Control, age, with a tag; what is done.
        ("standard", "", "max-age=60", 10.0, true, "load"), ("standard", "", "max-age=60", 60, true, "validate"),
        ("standard", "", "max-age=60", 60, false, "fetch"), ("standard", "", "", 0, true, "validate"),
        ("standard", "", "max-age=60, no-cache", 0, true, "validate"),
        ("standard", "no-cache", "max-age=60", 0, true, "validate"),
        ("standard", "max-age=5", "max-age=60", 5, true, "load"),
        ("standard", "max-age=5", "max-age=60", 6, true, "validate"),
        ("standard", "max-age=0", "max-age=60", 1, true, "validate"),
        ("standard", "min-fresh=50", "max-age=60", 10, true, "load"),
        ("standard", "min-fresh=51", "max-age=60", 10, true, "validate"),
        ("standard", "max-stale", "max-age=60", 600, true, "load"),
        ("standard", "max-stale=10", "max-age=60", 69, true, "load"),
        ("standard", "max-stale=10", "max-age=60", 70, true, "validate"),
        ("standard", "max-stale", "max-age=60, must-revalidate", 600, true, "validate"),
        ("standard", "only-if-cached", "max-age=60", 10, true, "load"),
        ("standard", "only-if-cached", "max-age=60", 60, true, "fail"),
        ("standard", "only-if-cached, max-stale", "max-age=60", 60, true, "load"),
        ("etag", "", "max-age=60", 0, true, "validate"), ("etag", "", "max-age=60", 0, false, "fetch"),
        ("etag", "only-if-cached", "max-age=60", 0, true, "fail"),
        ("enabled", "", "", 1e9, true, "load"), ("enabled", "", "no-cache", 1e9, false, "load"),
        ("enabled", "no-cache", "", 0, true, "fetch"), ("enabled", "max-age=5", "", 6, true, "fetch"),
        ("enabled", "", "", -10, true, "load"),
        ("timeout", "", "no-cache", 29.9, true, "load"), ("timeout", "", "", 30, true, "fetch"),
        ("timeout", "", "", -1, true, "fetch"), ("timeout", "no-cache", "", 1, true, "fetch"),
        ("etag+timeout", "", "", 29, true, "load"), ("etag+timeout", "", "", 30, true, "validate"),
        ("offline", "", "max-age=60", 0, true, "fetch"), ("error", "", "max-age=60", 0, true, "fetch"),
        ("error+standard", "", "max-age=60", 0, true, "load"),
    ])
    func `The policy and the header fields determine the use`(
        policy: String, request: String, response: String, age: Double, hasTag: Bool, use: String
    ) throws {
        let rules = try #require(try rules(Self.policy(policy), request, timeout: .seconds(30)))
        let stored = stored(response, tag: hasTag ? "\"1\"" : nil)
        #expect("\(rules.use(of: stored, at: Self.start + age))" == use)
    }

    @Test(arguments: [
        ("standard", "", "fetch"), ("enabled", "", "fetch"), ("standard", "only-if-cached", "fail"),
        ("offline", "only-if-cached", "fail"),
    ])
    func `Without a stored response the request is sent, or fails with only-if-cached`(
        policy: String, request: String, use: String
    ) throws {
        let rules = try #require(try rules(Self.policy(policy), request))
        #expect("\(rules.use(of: nil, at: Self.start))" == use)
    }

    @Test(arguments: [
        ("offline", "", RequestError.Kind.offline, true), ("offline", "", .connectionLost, false),
        ("error", "", .offline, true), ("error", "", .connectionLost, true), ("error", "", .hostNotFound, true),
        ("error", "", .idleTimedOut, true), ("error", "", .timedOut, true), ("error", "", .truncatedResponse, true),
        ("error", "", .secureConnectionFailed, true),
        ("error", "", .cancelled, false), ("error", "", .tooManyRedirects, false), ("error", "", .notCached, false),
        // Who the server is nothing covers up.
        ("error", "", .serverCertificateUntrusted, false), ("error", "", .serverPublicKeyNotPinned, false),
        ("error", "", .responseTooLarge, false), ("error", "", .invalidHeader, false),
        ("error", "no-cache", .connectionLost, false), ("offline", "no-cache", .offline, false),
        ("standard", "", .connectionLost, false), ("enabled+etag+timeout", "", .connectionLost, false),
    ])
    func `A stored response replaces the failures that the policy names`(
        policy: String, request: String, kind: RequestError.Kind, isLoaded: Bool
    ) throws {
        let rules = try #require(try rules(Self.policy(policy), request))
        // For any response: the policy of the app overrides the server.
        for control in ["", "no-cache", "must-revalidate, max-age=0"] {
            #expect(rules.allows(stored(control), insteadOf: kind, at: Self.start + 1e6) == isLoaded)
        }
        #expect(!rules.allows(stored(""), insteadOfStatus: 503, at: Self.start))
    }

    @Test(arguments: [
        ("standard", "max-age=60, stale-if-error=30", 89.0, true),
        ("standard", "max-age=60, stale-if-error=30", 90, false),
        ("standard", "stale-if-error=30", -1, false), ("standard", "stale-if-error=30, must-revalidate", 1, false),
        ("etag", "stale-if-error=30", 1, false),
    ])
    func `A stored response replaces errors for the time of stale-if-error`(
        policy: String, control: String, age: Double, isLoaded: Bool
    ) throws {
        let rules = try #require(try rules(Self.policy(policy)))
        let (stored, now) = (stored(control), Self.start + age)
        for status in [500, 502, 503, 504] {
            #expect(rules.allows(stored, insteadOfStatus: status, at: now) == isLoaded)
        }
        for status in [200, 404, 501] { #expect(!rules.allows(stored, insteadOfStatus: status, at: now)) }
        #expect(rules.allows(stored, insteadOf: .connectionLost, at: now) == isLoaded)
    }

    @Test(
        arguments: [
            "HEAD", "POST", "OPTIONS", "REPORT", "GET Cache-Control: no-store", "GET Range: bytes=0-1",
            "GET If-Match: *",
            "GET If-Range: 1", "GET If-Unmodified-Since: Fri, 15 Jan 2027 08:00:00 GMT",
        ])
    func `Requests that bypass the cache have no rules`(request: String) throws {
        let words = request.split(separator: " ", maxSplits: 2).map(String.init)
        let headers: HTTPHeaders = words.count == 3 ? [String(words[1].dropLast()): words[2]] : [:]
        let method = HTTPMethod(rawValue: words[0])
        #expect(try rules([.standard, .enabled, .loadOnError], method: method, headers: headers) == nil)
    }

    @Test func `A negative cache timeout loads nothing`() throws {
        let rules = try #require(try rules([.timeout, .etag], timeout: .seconds(-5)))
        #expect(rules.use(of: stored(""), at: Self.start) == .validate)
    }

    @Test func `The policy never disables the cache`() throws {
        #expect(try rules(.never) == nil)
    }

    @Test(arguments: ["If-None-Match", "If-Modified-Since"])
    func `A condition by the caller is sent to the server`(name: String) throws {
        let rules = try #require(try rules([.standard, .enabled, .loadOnError], headers: [name: "x"]))
        #expect(rules.use(of: stored("max-age=60"), at: Self.start) == .fetch)
        #expect(!rules.allows(stored("max-age=60"), insteadOf: .connectionLost, at: Self.start))
    }

    private static func policy(_ names: String) -> CachePolicy {
        names.split(separator: "+").reduce(into: .never) { policy, name in
            switch name {
            case "standard": policy.insert(.standard)
            case "etag": policy.insert(.etag)
            case "enabled": policy.insert(.enabled)
            case "timeout": policy.insert(.timeout)
            case "offline": policy.insert(.loadIfOffline)
            case "error": policy.insert(.loadOnError)
            default: break
            }
        }
    }
}
