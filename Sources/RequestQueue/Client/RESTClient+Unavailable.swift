// Common mistakes result in one compiler error that names the correct call.

extension RESTClient {
    /// Use `json:` for a `Codable` value, and `.data(_:contentType:)` for bytes.
    @available(*, unavailable, message: "pass a Codable value as `json:`, and bytes as `.data(_:contentType:)`")
    @_disfavoredOverload
    public func post(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ body: some Encodable
    ) async throws(RequestError) -> RESTResponse {
        throw RequestError(.invalidBody, "unavailable")
    }

    /// Use `json:` for a `Codable` value, and `.data(_:contentType:)` for bytes.
    @available(*, unavailable, message: "pass a Codable value as `json:`, and bytes as `.data(_:contentType:)`")
    @_disfavoredOverload
    public func put(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ body: some Encodable
    ) async throws(RequestError) -> RESTResponse {
        throw RequestError(.invalidBody, "unavailable")
    }

    /// Use `json:` for a `Codable` value, and `.data(_:contentType:)` for bytes.
    @available(*, unavailable, message: "pass a Codable value as `json:`, and bytes as `.data(_:contentType:)`")
    @_disfavoredOverload
    public func patch(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ body: some Encodable
    ) async throws(RequestError) -> RESTResponse {
        throw RequestError(.invalidBody, "unavailable")
    }

    /// Use the query: GET requests have no body (RFC 9110 §9.3.1).
    @available(*, unavailable, message: "a GET request has no body; pass values as `query:`")
    @_disfavoredOverload
    public func get(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ body: some Any
    ) async throws(RequestError) -> RESTResponse {
        throw RequestError(.invalidBody, "unavailable")
    }

    /// Use ``RESTRequest/onProgress(_:)``.
    @available(*, unavailable, message: "use `request(_:_:).onProgress { … }.send()`")
    @_disfavoredOverload
    public func get(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], progress: (RequestProgress) -> Void
    ) async throws(RequestError) -> RESTResponse {
        throw RequestError(.invalidBody, "unavailable")
    }
}
