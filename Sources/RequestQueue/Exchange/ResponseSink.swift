/// Where the body of a response goes; used by the transport's thread alone.
protocol ResponseSink: AnyObject, Sendable {
    /// Takes bytes as they came.
    ///
    /// - Returns: Whether more may come now.
    func receive(_ bytes: RawSpan) throws(TransportFailure) -> Bool

    /// Takes the end, after a body of the declared length.
    ///
    /// - Returns: The body, if it is in memory.
    func finish() throws(TransportFailure) -> Data

    /// The file that is to be put in its place afterwards.
    var file: DownloadFile? { get }
}

extension ResponseSink {
    var file: DownloadFile? { nil }
}
