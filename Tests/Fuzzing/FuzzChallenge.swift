import Foundation
import RequestQueue
import Synchronization

/// A challenge is answered at most once, in one field that contains its parameters; lines are fields.
func fuzzChallenge(_ text: LentText) {
    let fields = text.bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    let challenges = Challenge.all(in: fields)
    for challenge in challenges {
        expect(!challenge.scheme.isEmpty && challenge.scheme == challenge.scheme.lowercased(), "\(challenge)")
        for (name, value) in challenge.parameters {
            expect(!name.isEmpty && !value.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }, "\(challenge)")
        }
    }

    let user = ["ann", "a\"b\\c", "Jäsøn", "a\r\nb"][text.hash % 4]
    let sent = Mutex<[String?]>([])
    let transport = AskingTransport(fields) { field in sent.withLock { $0.append(field) } }
    var request = RESTRequest(url: URL(string: "http://a.example/b/../c?d"), transport: transport)
    request.authentication = .challenge(user: user, password: "word")
    let status = Mutex(0)
    Exchange(request) { outcome in status.withLock { $0 = (try? outcome.get().status) ?? -1 } }.start()
    // Basic authentication cannot send control characters.
    expect(status.withLock { $0 } == 401 || user.contains("\r\n"), "the outcome is \(status.withLock { $0 })")
    let hops = sent.withLock { $0 }
    expect((1...3).contains(hops.count) && hops[0] == nil, "it was sent as \(hops)")
    for case let field? in hops {
        expect(!field.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }, "a control character in '\(field)'")
        let said = Challenge.all(in: [field])
        expect(said.count == 1, "'\(field)' is no list of one")
        guard said[0].scheme == "digest" else { continue }
        let asked = challenges.contains { asked in
            ["realm", "nonce", "opaque"].allSatisfy { asked[$0] == said[0][$0] } && asked.scheme == "digest"
        }
        expect(asked, "'\(field)' answers what nobody asked")
    }
}

/// Responds to every request with 401 and the same challenges.
private struct AskingTransport: Transport {
    private let fields: [String]
    /// Receives the credentials of each request.
    private let tell: @Sendable (String?) -> Void

    init(_ fields: [String], _ tell: @escaping @Sendable (String?) -> Void) {
        self.fields = fields
        self.tell = tell
    }

    func start(_ request: TransportRequest, handler: any TransportHandler) -> any TransportTask {
        tell(request.headers["Authorization"])
        var headers = HTTPHeaders()
        for field in fields { headers.add(field, for: "WWW-Authenticate") }
        handler.transportDidConnect()
        handler.transportDidReceive(ResponseHead(status: 401, headers: headers))
        handler.transportDidFinish(nil)
        return NoTask()
    }

    private struct NoTask: TransportTask {
        func cancel() {}
        func resume() {}
    }
}
