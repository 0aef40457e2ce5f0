import Foundation
import LoopbackServer
import TestSupport
import Testing

@Suite(.enabled(if: hasCurl)) struct `Life of a server` {
    @Test func `one connection serves thousands of requests`() throws {
        let server = try LoopbackServer(recordLimit: 0)
        let outcome = try curl(["-o", "/dev/null", "\(server.url("/ok?"))[1-2000]"])
        #expect(outcome.connects == 0)
        #expect(server.statistics.requests == 2000)
        #expect(server.statistics.connections == 1)
        #expect(server.requests.isEmpty)
    }

    @Test func `stop ends connections in every phase and leaves no thread`() async throws {
        let server = try LoopbackServer()
        let requests = [
            "", "GET /o", "GET /hold HTTP/1.1\r\nHost: x\r\n\r\n", "GET /stall HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /delay?ms=90000 HTTP/1.1\r\nHost: x\r\n\r\n", "GET /slow?bps=1 HTTP/1.1\r\nHost: x\r\n\r\n",
            "PUT /sink HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1",
            "PUT /stall-upload?after=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n12",
            "GET /bytes?n=99999999 HTTP/1.1\r\nHost: x\r\n\r\n",
        ]
        let clients = try requests.map { request in
            let client = try RawClient(port: server.port)
            client.send(request)
            return client
        }
        try await server.wait { statistics, _ in
            statistics.openConnections == requests.count && statistics.requests == requests.count - 2
        }
        #expect(ContinuousClock().measure { server.stop() } < .seconds(2))
        #expect(server.statistics.openConnections == 0)
        // The last one has megabytes to read, which can take the kernel a while.
        for client in clients.dropLast() { #expect(!client.readToEnd().hasPrefix("HTTP/1.1 400")) }
        #expect(throws: POSIXError.self) { try RawClient(port: server.port) }
        server.stop()
    }

    @Test func `no descriptor is open after servers are released`() throws {
        guard let before = openDescriptors else { return }
        for _ in 0..<100 {
            let server = try LoopbackServer()
            let clients = try (0..<3).map { _ in try RawClient(port: server.port) }
            clients[0].send("GET /ok HTTP/1.1\r\nHost: x\r\n\r\n")
        }
        // Other tests run concurrently, but they do not open hundreds.
        #expect(try #require(openDescriptors) < before + 100)
    }

    @Test func `a server stops by itself after its lifetime`() async throws {
        let server = try LoopbackServer(lifetime: .milliseconds(50))
        let client = try RawClient(port: server.port)
        #expect(client.readToEnd() == "")
        await #expect(throws: LoopbackServerError.stopped) { try await server.waitForRequests(count: 1) }
    }

    @Test func `stop ends the wait of a handler`() async throws {
        let server = try LoopbackServer { request in
            try request.pause(.seconds(60))
            return nil
        }
        let client = try Curl(["\(server.url("/ok"))"])
        try await server.waitForRequests(count: 1)
        #expect(ContinuousClock().measure { server.stop() } < .seconds(2))
        #expect(try client.wait().exit == 52)
    }

    @Test func `hundreds of concurrent connections leave no resources`() throws {
        // A connection's thread and descriptor end shortly after its client.
        let result = try runTool(
            """
            count() { ls /proc/$server/fd | wc -l; ls /proc/$server/task | wc -l; }
            before=$(count)
            curl -s -o none --parallel --parallel-immediate --parallel-max 300 "$url/delay?ms=500&n=[1-300]" || exit
            for try in $(seq 500); do
                [ "$(count)" = "$before" ] && break
            done
            [ "$(count)" = "$before" ] && curl -s "$url/stats"
            """)
        #expect(result.status == 0)
        let connections = result.output.firstMatch(of: /"connections":(\d+)/).flatMap { Int($0.output.1) }
        #expect(try #require(connections) > 200)
    }

    @Test(arguments: [("exec 3>&-", 0), ("kill $server", 143)])
    func `the tool ends with its input and on SIGTERM`(_ command: String, _ status: Int) throws {
        #expect(
            try runTool("curl -s $url/ok; \(command); wait $server; echo :$?").output == "{\"ok\":true}:\(status)\n")
    }

    @Test func `the tool ends after its lifetime`() throws {
        #expect(try runTool("wait $server; echo $?", options: "--max-seconds 0").output == "0\n")
    }

    /// Runs shell commands with a `loopback-server` at `$url`, whose process is `$server`.
    private func runTool(_ script: String, options: String = "") throws -> ProcessResult {
        let folder = try TemporaryDirectory()
        let start = """
            mkfifo in
            loopback-server \(options) < in > out &
            server=$!
            exec 3> in
            until grep -q url out; do :; done
            url=$(sed 's/.*"url":"\\([^"]*\\)".*/\\1/' out)

            """
        return try runShell(start + script, directory: folder.url)
    }
}

/// The number of open descriptors; nil without /proc.
private var openDescriptors: Int? { try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
