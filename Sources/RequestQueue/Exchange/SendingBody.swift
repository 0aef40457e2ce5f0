import Synchronization

/// The body of a request while it is sent: counted, and listened to for waiting and failing.
///
/// Its bytes are held to the declared length below, where the body is made. `@unchecked`: the transport reads by one
/// thread at a time; counts, which another thread asks for, are atomic, and ``BodyStream/parts(whenSent:)`` is
/// thread-safe. No lock is held while the stream, which may be the user's, is called.
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
        // Weak: the stream keeps the function, perhaps for ever, and must not keep itself by it.
        stream.whenReadable { [weak self] in
            if let self { exchange.bodyGoesOn(self) }
            resume()
        }
    }

    func parts(whenSent bytes: Int64) -> [RequestProgress.Part] { stream.parts(whenSent: bytes) }
}
