/// The body of a request while it is sent: counted, and listened to for waiting and failing.
///
/// Its bytes are held to the declared length below, where the body is made.
final class SendingBody: BodyStream, @unchecked Sendable {  // read by one thread at a time, as the transport promises
    private let stream: any BodyStream
    private let length: Int64?
    private let exchange: Exchange
    /// Bytes that the transport took.
    private(set) var count: Int64 = 0
    /// Whether these are all.
    private(set) var isWhole: Bool

    init(_ stream: any BodyStream, length: Int64?, exchange: Exchange) {
        self.stream = stream
        self.length = length
        self.exchange = exchange
        isWhole = length == 0
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> BodyRead {
        do {
            let result = try stream.read(into: buffer)
            switch result {
            case .bytes(let bytes): count += Int64(bytes)
            case .wait: exchange.bodyWaits(self)
            case .end: isWhole = true
            }
            if count == length { isWhole = true }
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
