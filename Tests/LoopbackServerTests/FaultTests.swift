import Foundation
import LoopbackServer
import TestSupport
import Testing

@Suite(.enabled(if: hasCurl)) struct Faults {
    @Test(arguments: [
        Exchange("/truncate?len=100&sent=40", exit: 18, says: String(repeating: "x", count: 40)),
        Exchange("/truncate?len=100&sent=0", exit: 18),
        Exchange("/overrun?len=3&sent=9", says: "xxx"),
        Exchange("/badlength", exit: 8),
        Exchange("/twolengths"),
        Exchange("/chunked-bad", exit: 18, says: "hello"),
        Exchange("/chunked-bad?mode=size", exit: 56, says: "hello"),
        Exchange("/close", exit: 52, status: 0),
        Exchange("/close", ["-d", "body"], exit: 52, status: 0),
        Exchange("/rst", exit: 56, status: 0),
        Exchange("/rst?after=100", exit: 56, says: String(repeating: "x", count: 100)),
        Exchange("/stall?after=5", ["-m", "1"], exit: 28, says: "xxxxx"),
        Exchange("/hold", ["-m", "0.3"], exit: 28, status: 0),
        Exchange("/bytes?bps=10", ["-m", "1"], exit: 28),
    ]) func `the path determines how a response fails`(_ exchange: Exchange) throws {
        try exchange.check()
    }

    // A RST can lose the response or the request.
    @Test(arguments: [
        ("/early?after=1000", ["413 0"]), ("/early?status=507&close=keep", ["507 0"]),
        ("/early?close=now", ["413 0", "413 55", "413 56", "0 55", "0 56"]),
        ("/rst-upload?after=100000", ["0 55", "0 56"]),
    ]) func `a response is sent while the body arrives`(_ target: String, _ outcomes: [String]) throws {
        let server = try LoopbackServer()
        let folder = try TemporaryDirectory()
        let file = try folder.write(Data(count: 3_000_000), to: "body")
        let outcome = try curl(["-H", "Expect:", "-T", file.path, "\(server.url(target + "&hash=0"))"])
        #expect(outcomes.contains("\(outcome.status) \(outcome.exit)"))
        #expect(server.statistics.malformedRequests == 0)
    }

    @Test func `an upload stalls until the server releases it`() async throws {
        let server = try LoopbackServer()
        let folder = try TemporaryDirectory()
        let file = try folder.write(Data(count: 20_000_000), to: "body")
        let client = try Curl(["-H", "Expect:", "-T", file.path, "\(server.url("/stall-upload?after=5000&hash=0"))"])
        try await server.wait { _, requests in requests.first?.bodyLength == 5000 }
        #expect(server.requests.first?.isBodyWhole == false)
        server.release("/stall-upload")
        #expect([55, 56].contains(try client.wait().exit))
        #expect(server.requests.map(\.isBodyWhole) == [false])
    }

    @Test func `a client that disconnects ends its held requests`() async throws {
        let server = try LoopbackServer()
        for target in ["/hold", "/stall", "/delay?ms=60000", "/slow?n=100000&bps=1"] {
            let client = try RawClient(port: server.port)
            client.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
            try await server.waitForRequests(count: 1, path: target.split(separator: "?").first.map { "\($0)" })
        }
        try await server.wait { statistics, _ in statistics.openConnections == 0 }
        #expect(server.requests.count == 4)
    }

    @Test func `bytes are sent at the requested rate`() throws {
        let server = try LoopbackServer()
        let slow = ContinuousClock.now
        #expect(try curl(["\(server.url("/slow?n=100&bps=1000"))"]).output.count == 100)
        #expect(slow.duration(to: .now) >= .milliseconds(100))
        let sink = ContinuousClock.now
        #expect(try curl(["-d", "0123456789", "\(server.url("/sink?bps=100"))"])["bytes"] == "10")
        #expect(sink.duration(to: .now) >= .milliseconds(100))
        let upload = ContinuousClock.now
        #expect(try curl(["-F", "a=b", "\(server.url("/upload?bps=1000"))"]).status == 200)
        #expect(upload.duration(to: .now) >= .milliseconds(100))
    }
}
