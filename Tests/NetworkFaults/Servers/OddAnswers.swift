import LoopbackServer

/// The responses of the independent fault server that the package's server lacks: bytes that are hardly HTTP.
@Sendable func answerOddly(_ request: Request) -> Answer? {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
    let bytes: [UInt8]
    switch (request.path, request.parameter("kind") ?? request.parameter("mode")) {
    case ("/204-body", _): bytes = Array("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello".utf8)
    case ("/close-idle", _): bytes = Array((head + "\r\n{}").utf8)
    case ("/garbage", _): bytes = [0, 1] + Array("SSH-2.0-nope\r\n".utf8) + [0xff, 0xfe] + Array("\r\n\r\n".utf8)
    case ("/http09", _): bytes = Array("hello, no status line\n".utf8)
    case ("/no-status", _): bytes = Array("HTTP/1.1 \r\n\r\n".utf8)
    case ("/no-location", _): bytes = Array("HTTP/1.1 302 X\r\nContent-Length: 0\r\n\r\n".utf8)
    case ("/bad-location", _):
        bytes = Array("HTTP/1.1 302 X\r\nLocation: http://[::bad\r\nContent-Length: 0\r\n\r\n".utf8)
    case ("/empty-trailer", _):
        bytes = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-T: 1\r\n\r\n".utf8)
    case ("/both-framings", _):
        bytes = Array(
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n".utf8)
    case ("/upgrade", _): bytes = Array("HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nxxxx".utf8)
    case ("/header-bad", "nul"): bytes = Array((head + "X-A: a\0b\r\n\r\n{}").utf8)
    case ("/header-bad", "fold"): bytes = Array((head + "X-A: a\r\n b\r\n\r\n{}").utf8)
    case ("/header-bad", "nocolon"): bytes = Array((head + "this is not a header\r\n\r\n{}").utf8)
    case ("/header-bad", "huge"):
        bytes = Array((head + "X-A: \(String(repeating: "a", count: 1 << 20))\r\n\r\n{}").utf8)
    case ("/header-bad", "latin1"): bytes = Array((head + "X-A: ").utf8) + [0xff, 0xfe] + Array("\r\n\r\n{}".utf8)
    case ("/header-bad", _): bytes = Array((head + "X-A: 1\nX-B: 2\r\n\r\n{}").utf8)
    case ("/chunked-bad", "trailer"):
        bytes = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloXX\r\n0\r\n\r\n".utf8)
    default: return nil
    }
    return .raw(bytes)
}
