public import RequestQueue

/// A conformance check for custom transports.
///
/// Pass each check to a parametrized test. The checks call a service, whose responses ``respond(to:at:headers:body:)``
/// returns; a server for a transport over the network returns the same ones.
///
/// ```swift
/// @Test(.timeLimit(.minutes(1)), arguments: TransportCheck.all)
/// func `The transport conforms`(check: TransportCheck) async {
///     #expect(await check.violations(of: MyTransport(), service: server.url).isEmpty)
/// }
/// ```
public struct TransportCheck: Sendable {
    /// What is checked, such as `A response to HEAD has a head without a body`.
    public let name: String
    private let body: @Sendable (TransportProbe) async -> Void

    init(_ name: String, _ body: @escaping @Sendable (TransportProbe) async -> Void) {
        self.name = name
        self.body = body
    }

    /// All checks.
    public static let all = requests + responses + ends

    /// Runs the check; does not return if a request of the transport never ends.
    ///
    /// - Parameters:
    ///   - transport: The transport.
    ///   - service: The URL of the service, without a path.
    /// - Returns: The violations of the transport; empty if it conforms.
    public func violations(of transport: any Transport, service: URL) async -> [String] {
        let probe = TransportProbe(transport, service: service)
        await body(probe)
        return probe.violations
    }

    /// Returns the response of the service to a request.
    ///
    /// | Path | Response |
    /// | --- | --- |
    /// | `/echo` | the method and the target, the header fields `Cookie` and `X-…`, and the body |
    /// | `/status/CODE` | the status, with the fields `Location` and twice `Set-Cookie` |
    /// | `/large` | 1,000,000 bytes |
    /// | `/gzip` | 34 bytes with `Content-Encoding: gzip` |
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - url: The URL.
    ///   - headers: The header fields.
    ///   - body: The complete body.
    /// - Returns: The head, with `Content-Length`, and the body, which a server does not send in response to HEAD.
    public static func respond(
        to method: HTTPMethod, at url: URL, headers: HTTPHeaders, body: Data
    ) -> (head: ResponseHead, body: Data) {
        var (head, content) = (ResponseHead(status: 404, headers: [:]), Data())
        let path = url.path(percentEncoded: true)
        if path == "/echo" {
            head.status = 200
            let echoed = headers.filter { ["x-", "cookie"].contains(where: $0.name.lowercased().hasPrefix) }
            let fields = echoed.map { "\($0.name): \($0.value)" }.sorted()
            content = Data(echo(of: method, target: path + (url.query.map { "?" + $0 } ?? ""), fields).utf8) + body
        } else if path == "/large" {
            head.status = 200
            content = Data(repeating: 0x61, count: largeCount)
        } else if path == "/gzip" {
            head.status = 200
            head.headers["Content-Encoding"] = "gzip"
            content = Data(compressed)
        } else if path.hasPrefix("/status/"), let status = Int(path.dropFirst(8)) {
            head.status = status
            head.headers["Location"] = "/echo"
            for cookie in cookies { head.headers.add(cookie, for: "Set-Cookie") }
            if status != 204, status != 304 { content = Data("{}".utf8) }
        }
        if head.status != 204, head.status != 304 { head.headers["Content-Length"] = "\(content.count)" }
        return (head, content)
    }

    static func echo(of method: HTTPMethod, target: String, _ fields: [String]) -> String {
        (["\(method) \(target)"] + fields + ["", ""]).joined(separator: "\n")
    }

    static let cookies = ["a=1; Expires=Wed, 21 Oct 2065 07:28:00 GMT", "b=2"]
    static let largeCount = 1_000_000
    static let plain = Array("compressed compressed compressed ".utf8)
    /// The same text in gzip.
    static let compressed: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xff, 0x4b, 0xce, 0xcf, 0x2d, 0x28, 0x4a,
        0x2d, 0x2e, 0x4e, 0x4d, 0x51, 0x48, 0xc6, 0xca, 0x04, 0x00, 0x4d, 0xe0, 0x7a, 0x4c, 0x21, 0x00,
        0x00, 0x00,
    ]
}

extension TransportCheck: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
