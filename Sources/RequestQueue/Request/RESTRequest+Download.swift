extension RESTRequest {
    /// Returns the request with a handler of its progress, which replaces an earlier one.
    ///
    /// ```swift
    /// let response = try await client.request(.post, "/films", params)
    ///     .onProgress { print($0.fractionCompleted ?? 0) }
    ///     .send()
    /// ```
    ///
    /// - Parameter handler: Receives the bytes sent and received so far, in order, before the delegate does, and never
    ///   after the outcome. A slow handler receives only the latest progress.
    public func onProgress(_ handler: @escaping @Sendable (RequestProgress) -> Void) -> RESTRequest {
        var request = self
        request.progressHandler = handler
        return request
    }

    /// Sends the request and writes the body of a success to a file; see ``destination``.
    ///
    /// ```swift
    /// let response = try await client.request(.get, "/films/7").download(to: file)
    /// ```
    ///
    /// - Parameter file: The URL of a file in an existing folder.
    /// - Returns: The response; the body of a success is empty.
    /// - Throws: An error of kind `fileNotWritable` if the file cannot be written, and the errors of ``send()``.
    public func download(to file: URL) async throws(RequestError) -> RESTResponse {
        var request = self
        request.destination = file
        return try await request.send()
    }
}
