import Foundation
import TestSupport
import Testing

/// The compiler's errors for wrong calls of the network modules.
@Suite struct WrongCalls {
    static let asBody = "is unavailable: pass a Codable value as `json:`, and bytes as `.data(_:contentType:)`"

    /// Each call with the errors of its line.
    static let calls: [(call: String, error: String)] = [
        (
            #"try await client.get("/a", ["name": "x"])"#,
            "'get(_:query:headers:_:)' is unavailable: a GET request has no body; pass values as `query:`"
        ),
        (
            #"try await client.get("/a", Film())"#,
            "'get(_:query:headers:_:)' is unavailable: a GET request has no body; pass values as `query:`"
        ),
        (
            #"try await client.get("/a", progress: { print($0) })"#,
            "'get(_:query:headers:progress:)' is unavailable: use `request(_:_:).onProgress { … }.send()`"
        ),
        (#"try await client.post("/a", Film())"#, "'post(_:query:headers:_:)' \(asBody)"),
        (#"try await client.put("/a", Data())"#, "'put(_:query:headers:_:)' \(asBody)"),
        (
            #"try await client.post("/a", ["a": 1] as [String: Any])"#,
            "cannot convert value of type '[String : Any]' to expected argument type 'FormValue'"
        ),
        (
            #"try await client.post("/a", json: Plain())"#,
            "instance method 'post(_:query:headers:json:)' requires that 'Plain' conform to 'Encodable'"
        ),
        (
            #"try await client.get("/a", query: ["a": Plain()])"#,
            "cannot convert value of type 'Plain' to expected dictionary value type 'any FormValueConvertible'"
        ),
        (
            #"try await client.get("/a", headers: ["X": 1])"#,
            "cannot convert value of type 'Int' to expected dictionary value type 'String'"
        ),
        (
            #"try await client.get("/a", as: Film.self)"#,
            "instance method 'get(_:query:headers:as:)' requires that 'Film' conform to 'Mappable'"
        ),
        (
            #"try await client.get("/a", as: [Account].self)"#,
            "'get(_:query:headers:as:)' is unavailable: use `mapAll(_:as:)` for an array of models"
        ),
        (
            #"try await client.post("/a", Account(), as: Account.self)"#,
            "'post(_:query:headers:_:as:)' is unavailable: add the mapping of the body: `using: Model.mapping`"
        ),
        (
            #"try await client.get("/a", decoding: Account.self)"#,
            "instance method 'get(_:query:headers:decoding:)' requires that 'Account' conform to 'Decodable'"
        ),
        (
            #"try await client.put("/a", file: "/tmp/a")"#,
            "cannot convert value of type 'String' to expected argument type 'URL'"
        ),
        (
            #"try await client.download("/a", to: "/tmp/a")"#,
            "cannot convert value of type 'String' to expected argument type 'URL'"
        ),
        (
            #"client.request("/a").onProgress { print($0.fraction) }"#,
            "value of type 'RequestProgress' has no member 'fraction'"
        ),
        (
            #"try client.request("/a").sendSynchronously()"#,
            "instance method 'sendSynchronously' is unavailable from asynchronous contexts; it blocks the thread; await send()"
        ),
        (
            #"queue.add(try await client.get("/a"))"#,
            "cannot convert value of type 'RESTResponse' to expected argument type 'RESTRequest'"
        ),
        (#"queue.add("/a")"#, "cannot convert value of type 'String' to expected argument type 'RESTRequest'"),
        (#"RESTClient(baseURL: "https://a")"#, "cannot convert value of type 'String' to expected argument type 'URL'"),
        (#"client.timeouts.connect = 3"#, "cannot assign value of type 'Int' to type 'Duration'"),
        (#"client.authentication = .basic("user", "secret")"#, "missing argument labels 'user:password:' in call"),
        (
            #"client.adapters = [Plain()]"#,
            "cannot convert value of type 'Plain' to expected element type 'any RequestAdapter'"
        ),
    ]

    @Test func `A wrong call is an error with advice`() async throws {
        let prelude = """
            import Foundation
            import MappedRequests
            import ObjectMapping
            import RequestQueue
            struct Film: Codable, Sendable { var id = 0 }
            struct Account: Mappable { var id = 0; static let mapping = Mapping(Account.init) { Attribute("id", \\.id) } }
            struct Plain: Sendable { var id = 0 }

            """
        let functions = Self.calls.enumerated().map { number, call in
            "func call\(number)(_ client: RESTClient, _ queue: RequestQueue) async throws { "
                + (call.call.contains(" = ") ? "" : "_ = ") + call.call + " }\n"
        }
        let first = prelude.count(where: { $0 == "\n" }) + 1
        let errors = try await DeveloperCost.errors(in: prelude + functions.joined(), fromLine: first)
        let expected = Self.calls.enumerated().map { "\($0 + 1):\($1.error)" }
        for (error, expectation) in zip(errors, expected) { #expect(error == expectation) }
        #expect(errors.count == expected.count, "\(errors)")
    }
}
