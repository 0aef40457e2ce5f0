// Written by scripts/generate-resource-calls; do not edit.

extension RecordKind {
    @available(*, noasync, message: "getSync blocks the thread; use `await get()`")
    func getSync(
        _ name: String, _ query: Query, at location: MethodLocation
    ) throws(ResourceError) -> JSON {
        let (request, _) = try request(.get, name, query, at: location)
        return try value(of: try endpoint.sendSync(request), to: request)
    }

    @available(*, noasync, message: "getModelSync blocks the thread; use `await getModel()`")
    func getModelSync<Model: Mappable>(
        _ name: String, _ query: Query, at location: MethodLocation
    ) throws(ResourceError) -> Model {
        let (request, prefix) = try request(.get, name, query, at: location)
        return try model(of: try endpoint.sendSync(request), to: request, prefix: prefix)
    }

    @available(*, noasync, message: "getModelsSync blocks the thread; use `await getModels()`")
    func getModelsSync<Model: Mappable>(
        _ name: String, _ query: Query, at location: MethodLocation
    ) throws(ResourceError) -> [Model] {
        let (request, prefix) = try request(.get, name, query, at: location)
        return try models(of: try endpoint.sendSync(request), to: request, prefix: prefix)
    }

    @available(*, noasync, message: "sendSync blocks the thread; use `await send()`")
    func sendSync(
        _ method: HTTPMethod, _ name: String, _ query: Query, at location: MethodLocation, body: Data? = nil
    ) throws(ResourceError) -> RESTResponse {
        let (request, _) = try request(method, name, query, at: location, body)
        return try endpoint.sendSync(request)
    }
}
