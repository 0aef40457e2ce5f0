import Synchronization
import Testing

@testable import RequestQueue

@Suite("Bodies during sending")
struct SendingBodyTests {
    /// Keeps what it is asked to call, and tells when it goes.
    private final class HeldStream: BodyStream {
        private var resume: (@Sendable () -> Void)?
        private var reads: [BodyRead] = [.end, .bytes(1)]
        private let onEnd: @Sendable () -> Void

        init(onEnd: @escaping @Sendable () -> Void = {}) { self.onEnd = onEnd }

        deinit { onEnd() }

        func read(into buffer: inout MutableRawSpan) throws -> BodyRead { reads.popLast() ?? .end }

        func whenReadable(_ resume: @escaping @Sendable () -> Void) { self.resume = resume }
    }

    @Test func `A body that never has bytes is released`() throws {
        let exchange = ExchangeRecorder().exchange(try request(.put, over: ScriptedTransport({ _ in })))
        let hasEnded = Atomic(false)
        SendingBody(HeldStream(onEnd: { hasEnded.store(true, ordering: .relaxed) }), length: nil, exchange: exchange)
            .whenReadable {}
        let isGone = hasEnded.load(ordering: .relaxed)
        #expect(isGone)
    }

    /// What ends a body is code that is not ours: an exchange holds no lock meanwhile.
    @Test(arguments: [200, 303, 307]) func `The deinitializer of a body can cancel its request`(status: Int) throws {
        let transport = ScriptedTransport(
            { $0.answer(status, ["Location": "/b"]) }, { $0.answer(200) })
        let handle = RequestHandle()
        var request = try request(.put, over: transport)
        request.setBody(StreamBody { HeldStream(onEnd: { handle.cancel() }) })
        let recorder = ExchangeRecorder()
        handle.run(recorder.exchange(request))
        #expect(recorder.outcomes.count == 1)
        #expect(recorder.names.last == (status == 200 ? "response" : "cancelled"))
    }
}
