import Foundation
import LoopbackServer
import MappingTestSupport
import RequestQueue
import TestSupport
import Testing

@Suite("Metrics and proxies", .timeLimit(.minutes(2))) struct RequestMetricsTests {
    #if os(Linux)
        @Test func `A response has the durations of its parts, and whether its connection was reused`() async throws {
            let server = try LoopbackServer()
            let client = RESTClient(baseURL: server.url, transport: CurlTransport())
            let first = try await client.post("/echo", .data(Data(count: 3000))).metrics
            let second = try await client.get("/bytes?n=1234").metrics
            #expect(first.isConnectionReused == false && second.isConnectionReused == true)
            let (connect, firstByte) = (try #require(first.connect), try #require(first.firstByte))
            #expect(connect > .zero && connect <= firstByte && firstByte <= first.total)
            #expect(second.connect == .zero && second.secureConnect == nil)
            #expect(first.bytesSent == 3000 && second.bytesReceived == 1234)
        }

        @Test func `A proxy receives requests to other hosts, with its credentials`() async throws {
            let proxy = try LoopbackServer { request in
                Answer(body: Data("\(request.target) \(request.headers["proxy-authorization"] ?? "")".utf8))
            }
            let client = RESTClient(baseURL: try #require(URL(string: "http://mappingkit.invalid/v1")))
            client.proxy = .url(try #require(URL(string: "http://ada:s%20x@127.0.0.1:\(proxy.port)")))
            let response = try await client.get("/a")
            #expect(response.text == "http://mappingkit.invalid/v1/a Basic YWRhOnMgeA==")
            #expect("\(client.proxy)" == "http://127.0.0.1:\(proxy.port)")
            var dumped = ""
            dump(client.request("/a"), to: &dumped)
            #expect(!dumped.contains("s%20x") && !client.request("/a").curlDescription.contains("s%20x"))
        }

        @Test func `A proxy that refuses, is missing or is not a proxy is a typed error`() async throws {
            let proxy = try LoopbackServer { _ in Answer(403) }
            let client = RESTClient(baseURL: try #require(URL(string: "https://mappingkit.invalid/v1")))
            let cases: [(String, RequestError.Kind)] = [
                ("http://127.0.0.1:\(proxy.port)", .proxyFailed), ("http://mappingkit.invalid:3128", .hostNotFound),
                ("ftp://127.0.0.1", .invalidURL), ("proxy.example.com:3128", .invalidURL),
            ]
            for (url, kind) in cases {
                client.proxy = .url(try #require(URL(string: url)))
                let error = await #expect(throws: RequestError.self) { try await client.get("/a") }
                #expect(error?.kind == kind, "\(url): \(String(describing: error))")
            }
            client.proxy = .none
            let error = await #expect(throws: RequestError.self) { try await client.get("/a") }
            #expect(error?.kind == .hostNotFound)
        }
    #endif

    @Test func `The curl command repeats a request without its secrets`() throws {
        let client = RESTClient(baseURL: try #require(URL(string: "http://u:p@h/v1")), transport: StubTransport())
        client.headers = ["Accept": "text/it's", "Authorization": "Bearer x"]
        #expect(
            client.request(.get, "/a", query: ["page": 2, "api_key": "abc"]).curlDescription
                == #"curl 'http://h/v1/a?page=2&api_key=REDACTED' --header 'Accept: text/it'\''s' "#
                + "--header 'Authorization: REDACTED'")
        client.headers = [:]
        #expect(
            client.request(.post, "/a", .data(Data([1]))).curlDescription
                == "curl --request POST 'http://h/v1/a' --header 'Content-Type: application/octet-stream' "
                + "--data-binary @body")
        #expect(client.request(.head, "/a").curlDescription == "curl --head 'http://h/v1/a'")
    }

    @Test func `A quotation mark before a combining mark is escaped in a command for curl`() throws {
        let client = RESTClient(baseURL: try #require(URL(string: "http://h")), transport: StubTransport())
        let command = client.request(.head, "/", headers: ["A": "'\u{301}; b"]).curlDescription
        #expect(Array(command.utf8) == Array("curl --head 'http://h/' --header 'A: '\\''\u{301}; b'".utf8))
    }
}
