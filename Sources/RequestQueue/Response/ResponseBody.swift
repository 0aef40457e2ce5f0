/// The body of a response while it comes: pieces of it, decompressed, as large as they happen to be.
///
/// It can be gone over once. What is not taken waits at the server: at most some hundred kilobytes are kept. An error is
/// thrown where it happens, behind all that came before it; a body that is cut off never just ends. Cancelling the task
/// ends the transfer, as does letting the body go.
///
/// ```swift
/// let stream = try await client.request(.get, "/export").stream()
/// for try await piece in stream.body { try handle.write(contentsOf: piece) }
/// ```
public struct ResponseBody: AsyncSequence, Sendable {
    /// A piece, never empty.
    public typealias Element = Data
    /// Why the rest does not come.
    public typealias Failure = RequestError

    private let transfer: StreamTransfer

    init(_ transfer: StreamTransfer) { self.transfer = transfer }

    /// The number of bytes that a reader may collect.
    var limit: Int64 { transfer.limit }

    /// Ends the transfer with an error that its reader found.
    func failed(_ failure: TransportFailure) -> RequestError { transfer.failed(failure) }

    /// Begins at what comes first.
    public func makeAsyncIterator() -> Iterator { Iterator(transfer) }

    /// Goes over a body, once; a second one throws an error of kind `bodyNotRepeatable`.
    public struct Iterator: AsyncIteratorProtocol {
        private let transfer: StreamTransfer
        private let isFirst: Bool
        private let decoder: ContentDecoder?
        /// What is to be decompressed before more is taken.
        private var rest = Data()
        private var isAtEnd = false

        fileprivate init(_ transfer: StreamTransfer) {
            self.transfer = transfer
            isFirst = transfer.claim()
            decoder = transfer.makeDecoder()
        }

        /// Waits for the next piece; nil at the end of a body that came whole.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(RequestError) -> Data? {
            if isAtEnd { return nil }
            guard isFirst else { throw transfer.alreadyTaken }
            do throws(RequestError) {
                while true {
                    if let decoder, let piece = try decode(decoder) { return piece }
                    guard let bytes = try await transfer.next() else {
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

        /// Waits for the next piece; nil at the end of a body that came whole.
        public mutating func next() async throws(RequestError) -> Data? { try await next(isolation: nil) }

        private mutating func decode(_ decoder: ContentDecoder) throws(RequestError) -> Data? {
            do throws(TransportFailure) {
                let (piece, taken) = try decoder.piece(of: rest)
                rest = rest.dropFirst(taken)
                return piece
            } catch { throw transfer.failed(error) }
        }
    }
}
