import Foundation
import LoopbackServer
import TestSupport
import Testing

@Suite struct `Plain answers` {
    @Test func `the server answers a small request`() throws {
        let server = try LoopbackServer()
        #expect(try runShell("curl -s \(server.url)/ok").output == #"{"ok":true}"#)
        #expect(server.requests.map(\.target) == ["/ok"])
        server.stop()
        #expect(server.statistics.openConnections == 0)
    }
}
