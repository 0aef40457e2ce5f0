/// The transfer of a streamed response; it is cancelled when its last reader releases it.
final class StreamTransfer: Sendable {
    private let exchange: Exchange
    private let sink: StreamSink
    private let head: StreamSink.Head
    private let isClaimed = Atomic(false)

    init(_ exchange: Exchange, _ sink: StreamSink, _ head: StreamSink.Head) {
        self.exchange = exchange
        self.sink = sink
        self.head = head
    }

    deinit { exchange.cancel() }

    /// Claims the body for a reader; returns `false` if it was claimed before.
    func claim() -> Bool { !isClaimed.exchange(true, ordering: .relaxed) }

    /// The number of bytes that a reader may collect.
    var limit: Int64 { exchange.request.limits.bodyInMemory }

    func makeDecoder() -> ContentDecoder? { .decoder(for: head.framing, exchange.request.limits) }

    /// Returns the next bytes before decompression; `nil` at the end of a complete body.
    ///
    /// - Parameter count: The number of pieces that the reader received, which is updated.
    func next(after count: inout Int) async throws(RequestError) -> Data? {
        while true {
            if let (bytes, refusals, number) = try sink.take() {
                if refusals > 0 { exchange.resumeReceiving(after: refusals) }
                if bytes != nil { count += 1 }
                // A copy of the iterator has received pieces: neither reader has the complete body.
                guard number == count else { throw failed(alreadyTaken) }
                return bytes
            }
            let isOnly = await withTaskCancellationHandler {
                await sink.wait()
            } onCancel: {
                exchange.cancel()
            }
            if !isOnly { throw failed(alreadyTaken) }
        }
    }

    /// Ends the transfer with an error found by its reader.
    func failed(_ failure: TransportFailure) -> RequestError {
        exchange.fail(failure)
        return exchange.error(failure)
    }

    /// The error of a second reader, which does not affect the first one.
    var refusal: RequestError { exchange.error(alreadyTaken) }

    private var alreadyTaken: TransportFailure {
        TransportFailure(
            .bodyNotRepeatable,
            "the body of this response is being read or was read; it can be read once, by one task")
    }
}
