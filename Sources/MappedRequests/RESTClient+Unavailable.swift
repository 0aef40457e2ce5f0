// Calls that the compiler would otherwise reject with the name of a protocol.
extension RESTClient {
    /// Use ``mapAll(_:query:headers:as:at:each:parallel:)`` for an array of models.
    @available(*, unavailable, message: "use `mapAll(_:as:)` for an array of models")
    public func get<Model: Mappable>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], as type: [Model].Type
    ) async throws(MappedRequestError) -> [Model] {
        throw MappedRequestError(RequestError(.invalidBody, "unavailable"))
    }

    /// Add `using:` with the mapping of the body.
    @available(*, unavailable, message: "add the mapping of the body: `using: Model.mapping`")
    @_disfavoredOverload
    public func post<Model: Mappable, Result: Mappable>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ model: Model, as type: Result.Type
    ) async throws(MappedRequestError) -> Result {
        throw MappedRequestError(RequestError(.invalidBody, "unavailable"))
    }

    /// Add `using:` with the mapping of the body.
    @available(*, unavailable, message: "add the mapping of the body: `using: Model.mapping`")
    @_disfavoredOverload
    public func put<Model: Mappable, Result: Mappable>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ model: Model, as type: Result.Type
    ) async throws(MappedRequestError) -> Result {
        throw MappedRequestError(RequestError(.invalidBody, "unavailable"))
    }

    /// Add `using:` with the mapping of the body.
    @available(*, unavailable, message: "add the mapping of the body: `using: Model.mapping`")
    @_disfavoredOverload
    public func patch<Model: Mappable, Result: Mappable>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ model: Model, as type: Result.Type
    ) async throws(MappedRequestError) -> Result {
        throw MappedRequestError(RequestError(.invalidBody, "unavailable"))
    }
}
