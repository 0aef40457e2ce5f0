import Foundation
import MappingTestSupport
import Synchronization
import Testing

#if os(Linux)
    import FoundationNetworking
    import RequestQueue
    @testable import URLSessionTransport
#else
    @testable import RequestQueue
#endif

/// What a transfer does with events that only Apple's URLSession has, without a session.
@Suite("URLSession transfers") struct URLSessionTransferTests {
    private let recorder = TransportRecorder()
    private let url = URL(string: "http://localhost/") ?? URL(filePath: "/")

    /// A stream that calls a function when it is released.
    private final class EndedStream: BodyStream {
        private let whenReleased: () -> Void

        init(_ whenReleased: @escaping () -> Void) { self.whenReleased = whenReleased }

        deinit { whenReleased() }

        func read(into buffer: inout MutableRawSpan) throws -> BodyRead { .end }

        func whenReadable(_ resume: @escaping @Sendable () -> Void) { resume() }
    }

    @Test(arguments: [1, 2])
    func `A body can cancel its request when it is released`(opened: Int) {
        let transfer = Mutex<URLSessionTransfer?>(nil)
        let releases = Mutex(0)
        let body = TransportRequest.Body(length: nil) {
            EndedStream {
                releases.withLock { $0 += 1 }
                transfer.withLock { $0 }?.cancel()
            }
        }
        let started = URLSessionTransfer(TransportRequest(method: .put, url: url, body: body), handler: recorder)
        transfer.withLock { $0 = started }
        for _ in 0..<opened { _ = started.openBody() }
        started.didFinish(nil)
        transfer.withLock { $0 = nil }
        #expect(releases.withLock { $0 } == opened)
        #expect(recorder.record.finishes == 1)
    }

    @Test func `A response in several parts fails, instead of being mixed up`() throws {
        let transfer = URLSessionTransfer(TransportRequest(method: .get, url: url), handler: recorder)
        recorder.transportDidConnect()
        for _ in 0..<2 {
            transfer.didReceive(
                try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:])))
            transfer.didReceive(Data("part".utf8))
        }
        #expect(recorder.record.mistakes == [])
        #expect(recorder.record.text == "part")
        #expect(recorder.record.failure?.kind == .malformedResponse)
    }

    @Test func `A GET request with a body, which URLSession refuses, is not sent again`() {
        let failure = TransportFailure(urlError: URLError(.dataLengthExceedsMaximum))
        #expect(failure.kind == .invalidBody)
        #expect(!RetryPolicy.transientFailures.contains(failure.kind))
    }

    @Test(arguments: [NSPOSIXErrorDomain, NSURLErrorDomain])
    func `Failures of URLSession do not show the URL that is in their user info`(domain: String) {
        let url = "https://example.com/?access_token=s3cret"
        let error = NSError(
            domain: domain, code: 53, userInfo: ["NSErrorFailingURLStringKey": url, NSURLErrorKey: url])
        let failure = TransportFailure(urlError: error)
        #expect(failure.kind == .connectionLost)
        #expect(failure.cause.contains("53"))
        #expect(!"\(failure)".contains("s3cret"))
    }
}
