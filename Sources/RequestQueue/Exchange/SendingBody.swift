/// The body of a request while it is sent: counted, and held to the length that was declared.
///
/// It is a value of the transport's thread, which alone reads it and is told of the outcome.
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
            case .bytes(let bytes):
                count += Int64(bytes)
                if let length { try check(against: length) }
            case .wait: exchange.bodyWaits(self)
            case .end:
                if let length, count < length {
                    throw TransportFailure(
                        .bodyChanged, "the body declared \(length) bytes and ended after \(count)")
                }
                isWhole = true
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

    /// Looks behind the last byte before it goes: afterwards the server would take the body for whole.
    private func check(against length: Int64) throws {
        var isLonger = count > length
        if count == length {
            isWhole = true
            try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
                if case .bytes = try stream.read(into: byte) { isLonger = true }
            }
        }
        guard isLonger else { return }
        throw TransportFailure(.bodyChanged, "the body declared \(length) bytes and has more")
    }
}

extension TransportFailure {
    /// Why a body cannot be read, from what its opening or reading threw.
    init(bodyError error: any Error) {
        switch error {
        case let error as TransportFailure: self = error
        case let error as RequestError: self.init(error.kind, error.cause)
        default: self.init(.bodyUnreadable, "the body cannot be read: \(error)")
        }
    }
}
