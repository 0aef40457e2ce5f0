/// The body of a response while it is received: decompressed pieces of any size.
///
/// It can be iterated once. Up to a few hundred kilobytes are buffered; beyond that, the transfer is paused until they
/// are read. An error is thrown after all bytes received before it; a truncated body never ends without an error.
/// Cancelling the task or releasing the body cancels the transfer.
///
/// ```swift
/// let stream = try await client.request(.get, "/export").stream()
/// for try await chunk in stream.body { try handle.write(contentsOf: chunk) }
/// ```
public struct ResponseBody: AsyncSequence, Sendable {
    /// A chunk of the body, never empty.
    public typealias Element = Data
    /// The error that ended the transfer.
    public typealias Failure = RequestError

    private let transfer: StreamTransfer

    init(_ transfer: StreamTransfer) { self.transfer = transfer }

    /// The number of bytes that a reader may collect.
    var limit: Int64 { transfer.limit }

    /// Ends the transfer with an error that its reader found.
    func failed(_ failure: TransportFailure) -> RequestError { transfer.failed(failure) }

    /// Creates an iterator that starts at the first chunk.
    public func makeAsyncIterator() -> Iterator { Iterator(transfer) }

    /// An iterator over the chunks; a second iterator throws an error of kind `bodyNotRepeatable`.
    ///
    /// If several copies of an iterator are used, the transfer and all of them fail with this error.
    public struct Iterator: AsyncIteratorProtocol {
        private let transfer: StreamTransfer
        private let isFirst: Bool
        private let decoder: ContentDecoder?
        /// The received bytes that were not decompressed.
        private var rest = Data()
        /// The number of pieces that were received.
        private var count = 0
        private var isAtEnd = false

        fileprivate init(_ transfer: StreamTransfer) {
            self.transfer = transfer
            isFirst = transfer.claim()
            decoder = transfer.makeDecoder()
        }

        /// Returns the next piece; `nil` at the end of a complete body.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(RequestError) -> Data? {
            if isAtEnd { return nil }
            guard isFirst else { throw transfer.refusal }
            do throws(RequestError) {
                while true {
                    if let decoder, let piece = try decode(decoder) { return piece }
                    guard let bytes = try await transfer.next(after: &count) else {
                        isAtEnd = true
                        do throws(TransportFailure) { try decoder?.finish() } catch { throw transfer.failed(error) }
                        return nil
                    }
                    guard decoder != nil else { return bytes }
                    rest = bytes
                }
            } catch {
                isAtEnd = true
                throw error
            }
        }

        private mutating func decode(_ decoder: ContentDecoder) throws(RequestError) -> Data? {
            do throws(TransportFailure) {
                let (piece, taken) = try decoder.piece(of: rest)
                rest = rest.dropFirst(taken)
                return piece
            } catch { throw transfer.failed(error) }
        }
    }
}

/// A response whose body is received as a stream.
public struct RESTStream: Sendable {
    /// The status code, such as 200.
    public var status: Int { response.status }
    /// The header fields, unchanged: lengths and encodings describe the body before decompression.
    public var headers: HTTPHeaders { response.headers }
    /// The URL of the response, after redirects.
    public var url: URL { response.url }
    /// The number of redirects that were followed.
    public var redirects: Int { response.redirects }
    /// The number of attempts; more than one only with a ``RequestSettings/retryPolicy``.
    public var attempts: Int { response.attempts }
    /// The body, which can be iterated once.
    public let body: ResponseBody
    /// The response with an empty body.
    private let response: RESTResponse

    /// The body as lines of text, which can be iterated once.
    public var lines: ResponseLines { ResponseLines(body: body) }

    /// The body as server-sent events, which can be iterated once.
    public var serverSentEvents: ServerSentEvents { ServerSentEvents(lines: lines) }

    init(_ exchange: Exchange, _ sink: StreamSink, _ head: StreamSink.Head) {
        response = head.response
        body = ResponseBody(StreamTransfer(exchange, sink, head))
    }
}
