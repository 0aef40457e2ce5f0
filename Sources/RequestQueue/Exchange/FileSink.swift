/// A body that is written to a file while it is received.
final class FileSink: ResponseSink, @unchecked Sendable {  // used by the transport's thread only
    let file: DownloadFile?
    private let decoder: ContentDecoder?
    private let resume: @Sendable () -> Void

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - framing: The framing of the response.
    ///   - limits: The limits of the response.
    ///   - resume: Called when more bytes can be received after `receive` returned `false`.
    init(
        _ file: DownloadFile, _ framing: ResponseFraming, limits: ResponseLimits,
        resume: @escaping @Sendable () -> Void
    ) {
        self.file = file
        self.resume = resume
        decoder = ContentDecoder(framing, limits)
    }

    func receive(_ bytes: RawSpan) throws(TransportFailure) -> Bool {
        if let decoder {
            try decoder.decode(bytes) { piece throws(TransportFailure) in try file?.append(piece) }
        } else {
            try file?.append(bytes)
        }
        return file?.isReady(resume) ?? true
    }

    func finish() throws(TransportFailure) -> Data {
        try decoder?.finish()
        return Data()
    }
}
