/// The destination of a response body; used by the transport's thread only.
protocol ResponseSink: AnyObject, Sendable {
    /// Receives bytes, before decompression.
    ///
    /// - Returns: Whether more bytes can be received now.
    func receive(_ bytes: RawSpan) throws(TransportFailure) -> Bool

    /// Ends the body, after its declared length.
    ///
    /// - Returns: The body, if it is stored in memory.
    func finish() throws(TransportFailure) -> Data

    /// The file that is moved to its destination afterwards.
    var file: DownloadFile? { get }
}

extension ResponseSink {
    var file: DownloadFile? { nil }
}
