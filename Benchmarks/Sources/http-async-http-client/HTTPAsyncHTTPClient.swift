import AsyncHTTPClient
import HTTPPeer
import NIOCore
import NIOHTTP1

/// The peer async-http-client: async, or with futures if called with `futures`.
@main struct HTTPAsyncHTTPClient: HTTPPeer {
    private let client: HTTPClient
    private let isAsync: Bool

    static func main() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        await serve(HTTPAsyncHTTPClient(client: client, isAsync: !CommandLine.arguments.contains("futures")))
        try await client.shutdown()
    }

    func text(of url: String) async throws -> String {
        let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
        return String(buffer: try await response.body.collect(upTo: 1 << 20))
    }

    func get(_ url: String, count: Int, concurrency: Int) async throws -> Tally {
        let (client, isAsync) = (client, isAsync)
        return try await repeated(count, concurrency: concurrency) { tally in
            if isAsync {
                let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
                let body = try await response.body.collect(upTo: 1 << 20)
                tally.add(status: Int(response.status.code), bytes: body.readableBytes)
            } else {
                let response = try await client.execute(request: HTTPClient.Request(url: url)).get()
                tally.add(status: Int(response.status.code), bytes: response.body?.readableBytes ?? 0)
            }
        }
    }
}
