/// Changes requests before they are sent, for example to sign them or to add a trace identifier.
///
/// ```swift
/// struct Signer: RequestAdapter {
///     let key: SigningKey
///
///     func adapt(_ request: TransportRequest) async throws -> TransportRequest {
///         var request = request
///         request.headers["X-Signature"] = try await key.signature(of: request.url)
///         return request
///     }
/// }
///
/// client.adapters = [Signer(key: key)]
/// ```
///
/// The adapters of a request are called in their order for its first attempt, for each retry, and for each redirect to the
/// same origin; they always receive the request as it was before it was adapted. Afterwards, the cache is searched, and
/// cookies and credentials are added.
///
/// An adapter may send requests, also by the queue of the request, where they are sent in addition to the queue's limit.
/// They need a client without the adapter: requests that it would adapt itself fail.
/// A request that waits for its adapters is limited by ``Timeouts/connect`` and ``Timeouts/total``, and can be cancelled.
public protocol RequestAdapter: Sendable {
    /// Returns the request to be sent.
    ///
    /// - Parameter request: The checked, complete request. Opening its body to compute a digest requires a body that can be
    ///   read again.
    /// - Returns: A request to the same origin.
    /// - Throws: Any error. It ends the request with an error of kind ``RequestError/Kind/adaptationFailed``, whose
    ///   ``RequestError/underlying`` is the thrown error.
    func adapt(_ request: TransportRequest) async throws -> TransportRequest
}
