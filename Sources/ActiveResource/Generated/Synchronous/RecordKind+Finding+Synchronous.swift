// Written by scripts/generate-resource-calls; do not edit.

extension RecordKind {
    @available(*, noasync, message: "findSync blocks the thread; use `await find()`")
    func findSync(
        _ id: (any ResourceID)?, _ prefix: [String: String], _ query: FormValue
    ) throws(ResourceError) -> Record {
        let endpoint = endpoint
        let request = try endpoint.findRequest(id, prefix, query)
        return try record(of: try endpoint.sendSync(request), to: request, prefix: prefix)
    }

    @available(*, noasync, message: "oneSync blocks the thread; use `await one()`")
    func oneSync(
        from source: ResourceSource, _ prefix: [String: String], _ query: FormValue
    ) throws(ResourceError) -> Record {
        let endpoint = endpoint
        let request = endpoint.request(.get, try endpoint.path(of: source, prefix: prefix, query: query))
        return try record(of: try endpoint.sendSync(request), to: request, prefix: prefix)
    }

    @available(*, noasync, message: "existsSync blocks the thread; use `await exists()`")
    func existsSync(
        _ id: (any ResourceID)?, _ prefix: [String: String], _ query: FormValue
    ) throws(ResourceError) -> Bool {
        let endpoint = endpoint
        if id?.pathText == nil, endpoint.singletonName == nil { return false }
        let path = try endpoint.elementPath(id, prefix: prefix, query: query)
        do throws(ResourceError) {
            return 200...206 ~= (try endpoint.sendSync(endpoint.request(.head, path))).status
        } catch {
            guard error.kind == .notFound || error.kind == .gone else { throw error }
            return false
        }
    }
}
