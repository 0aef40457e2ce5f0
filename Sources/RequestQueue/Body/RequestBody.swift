/// The body of a request: a snapshot of what was given, opened anew each time it is sent.
package struct RequestBody: Sendable {
    package let contentType: String
    /// Bytes, if they are known.
    package let length: Int64?
    /// Opens it at its beginning.
    package let open: @Sendable () throws -> any BodyStream
}
