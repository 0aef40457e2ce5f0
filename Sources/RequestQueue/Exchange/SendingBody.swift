import Synchronization

/// The body of a request while it is sent: counted, and listened to for waiting and failing.
///
/// Its bytes are held to the declared length below, where the body is made. `@unchecked`: the stream is used by the
/// transport alone, which promises one thread at a time; what others ask for is atomic.
final class SendingBody: BodyStream, @unchecked Sendable {
    private let stream: any BodyStream
    private let length: Int64?
    private let exchange: Exchange
    private let bytesRead = Atomic<Int64>(0)
    private let isAtEnd = Atomic(false)

    init(_ stream: any BodyStream, length: Int64?, exchange: Exchange) {
        self.stream = stream
        self.length = length
        self.exchange = exchange
    }

    /// Bytes that the transport took.
    var count: Int64 { bytesRead.load(ordering: .acquiring) }

    /// Whether these are all.
    var isWhole: Bool { isAtEnd.load(ordering: .acquiring) || count == length }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> BodyRead {
        do {
            let result = try stream.read(into: buffer)
            switch result {
            case .bytes(let bytes): bytesRead.add(Int64(bytes), ordering: .releasing)
            case .wait: exchange.bodyWaits(self)
            case .end: isAtEnd.store(true, ordering: .releasing)
            }
            return result
        } catch {
            let failure = TransportFailure(bodyError: error)
            exchange.fail(failure)
            throw failure
        }
    }

    func whenReadable(_ resume: @escaping @Sendable () -> Void) {
        stream.whenReadable { [self] in
            exchange.bodyGoesOn(self)
            resume()
        }
    }

    func parts(whenSent bytes: Int64) -> [RequestProgress.Part] { stream.parts(whenSent: bytes) }
}
