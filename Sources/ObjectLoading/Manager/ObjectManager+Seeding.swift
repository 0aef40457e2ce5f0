extension ObjectManager {
    // MARK: Files

    /// Loads a file as if it were the response to a GET of a path, by the response descriptors of the path.
    ///
    /// ```swift
    /// try await manager.load(contentsOf: recordedProjects, as: "/projects")
    /// ```
    ///
    /// - Parameters:
    ///   - file: A file with the body of a response.
    ///   - path: The path, relative to the base URL of the client.
    ///   - policy: What happens to elements with issues. Defaults to `.fail`.
    /// - Throws: ``LoadError`` if no descriptor applies; `MappedRequestError` if the file cannot be mapped; the error of the
    ///   system if it cannot be read; `StoreError` if the store cannot be written.
    @discardableResult public func load(
        contentsOf file: URL, as path: String, policy: MappingReport.Policy = .fail
    ) async throws -> LoadResult {
        let request = client.request(.get, path)
        guard let url = request.url else {
            throw MappedRequestError(RequestError(.invalidURL, "the path '\(path)' is not valid", url: client.baseURL))
        }
        let response = RESTResponse(
            status: 200, headers: HTTPHeaders(), body: try Data(contentsOf: file), url: url, attempts: 0)
        let start = store?.commitMark()
        return try await running { [self] in
            let reply = try reply(to: request, response, MappingReport(policy: policy))
            return try await save(reply, isLoad: true, since: start)
        }
    }

    /// Builds a seed database from the bodies of responses, by the response descriptors of their paths.
    ///
    /// ```swift
    /// try await manager.makeSeed(at: seed, from: ["/users": usersFile, "/projects": projectsFile])
    /// ```
    ///
    /// The seed has the model of the ``store``. Its objects are mapped and connected like those that the manager loads, in the
    /// order of the files; a connection to an object of a later file is set when that is loaded. The file appears when it is
    /// complete. For dumps that are larger than memory, use an `ObjectSeeder`.
    ///
    /// - Parameters:
    ///   - url: The seed, which must not exist.
    ///   - files: Files with the bodies of responses, each with its path.
    /// - Returns: The number of objects of each entity.
    /// - Throws: ``LoadError`` of kind `noStore` if the manager has no store; otherwise like
    ///   ``load(contentsOf:as:policy:)``, and `StoreError` if the seed cannot be written. No file is left then.
    @discardableResult public func makeSeed(
        at url: URL, from files: KeyValuePairs<String, URL>
    ) async throws -> [String: Int] {
        guard let model = store?.model else {
            throw LoadError(.noStore, "a seed has the model of a store; create the ObjectManager with a store")
        }
        let seed = try ManagedObjectStore(inMemory: model)
        defer { seed.close() }
        let manager = ObjectManager(client: client, store: seed, queue: queue, responses: responses)
        for (path, file) in files { try await manager.load(contentsOf: file, as: path) }
        return try await seed.perform { _ in
            try seed.backup(to: url)
            let counts = try model.entities.map { entity in (entity.name, try seed.count(of: entity.name)) }
            return Dictionary(counts) { first, _ in first }
        }
    }
}
