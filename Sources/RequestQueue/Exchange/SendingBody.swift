/// The body of a request while it is sent: counts its bytes, and reports waits and failures.
///
/// The transport verifies the declared length. `@unchecked`: the transport reads on one thread at a time; the counts
/// that other threads read are atomic, and ``BodyStream/parts(whenSent:)`` is thread-safe. No lock is held while the
/// stream, which can be user code, is called.
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

    /// The number of bytes that the transport has read.
    var count: Int64 { bytesRead.load(ordering: .acquiring) }

    /// Whether the transport has read the complete body.
    var isCompletelyRead: Bool { isAtEnd.load(ordering: .acquiring) || count == length }

    func read(into buffer: inout MutableRawSpan) throws -> BodyRead {
        do {
            let result = try stream.read(into: &buffer)
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
        // Weak: the stream can retain the closure indefinitely, and must not retain itself through it.
        stream.whenReadable { [weak self] in
            if let self { exchange.bodyResumes(self) }
            resume()
        }
    }

    func parts(whenSent bytes: Int64) -> [RequestProgress.Part] { stream.parts(whenSent: bytes) }
}
