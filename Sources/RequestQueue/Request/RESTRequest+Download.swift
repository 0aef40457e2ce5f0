extension RESTRequest {
    /// Sends it and writes the body of a success (2xx), decompressed and of any size, to a file.
    ///
    /// The file grows beside its destination and takes its place, replacing a file that is there, when the response is
    /// whole and on the disk; otherwise nothing changes and nothing is left behind. A response of another status has its
    /// body in memory, and there is no file.
    ///
    /// ```swift
    /// let response = try await client.request(.get, "/films/7").download(to: file) { print($0.fractionReceived) }
    /// ```
    ///
    /// - Parameters:
    ///   - file: The URL of a file, in a folder that is there.
    ///   - progress: Told of bytes that went and came, in order.
    /// - Returns: The response; the body of a success is empty here.
    /// - Throws: An error of kind `fileNotWritable` if the file cannot be written; as ``send(progress:)`` does.
    public func download(
        to file: URL, progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws(RequestError) -> RESTResponse {
        try await outcome(delivery: .file(file), progress: progress)
    }
}
