/// A body that is written to a file as it comes.
final class FileSink: ResponseSink, @unchecked Sendable {  // used by the transport's thread alone
    let file: StagedDownload?
    private let decoder: ContentDecoder?

    init(_ file: StagedDownload, _ framing: ResponseFraming, limits: ResponseLimits) {
        self.file = file
        decoder = ContentDecoder(framing, limits)
    }

    func receive(_ bytes: RawSpan) throws(TransportFailure) -> Bool {
        if let decoder {
            try decoder.decode(bytes) { piece throws(TransportFailure) in try file?.append(piece) }
        } else {
            try file?.append(bytes)
        }
        return true
    }

    func finish() throws(TransportFailure) -> Data {
        try decoder?.finish()
        return Data()
    }
}
