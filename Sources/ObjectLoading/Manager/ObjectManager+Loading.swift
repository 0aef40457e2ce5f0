/// The object that a response must contain, and its changes that are saved with the response.
struct Expectation: Sendable {
    let id: ObjectID
    let changes: UnsavedChanges
}

extension ObjectManager {
    /// Sends a request, and loads the objects and values of its response.
    ///
    /// - Parameter expectation: An object that a response with a body must contain; `nil` for any.
    func load(
        _ request: RESTRequest, _ owner: (any Hashable & Sendable)? = nil, _ policy: MappingReport.Policy = .fail,
        expecting expectation: Expectation? = nil
    ) async throws -> LoadResult {
        let (response, place) = try await success(of: request, owner)
        let report = MappingReport(policy: policy)
        guard !response.isBlank else {
            var result = LoadResult(parts: [], response: response, report: report)
            result.saved = try await store?.perform { try $0.save(expectation) { _ in } } ?? .none
            return result
        }
        let matches: ResponseDescriptors.Matches
        do throws(LoadError) { matches = try responses.matches(place, isError: false) } catch {
            throw error.with(response)
        }
        let reader = ResponseReader(response)
        let options = MappingOptions(metadata: metadata(of: response, request, matches, place))
        do {
            return try await map(try reader.payload(), by: matches, options, response, report, expectation)
        } catch let error as MappingError { throw reader.failure(error) }
    }

    /// Sends a request, and returns its response if the status is 200 to 299.
    ///
    /// - Throws: `MappedRequestError` if there is no response, and for another status, with the models of the error
    ///   descriptors that apply to it.
    func success(
        of request: RESTRequest, _ owner: (any Hashable & Sendable)? = nil
    ) async throws(MappedRequestError) -> (response: RESTResponse, place: ResponseDescriptor.Place) {
        let response = try await queue.response(of: request, owner: owner)
        let place = ResponseDescriptor.Place(
            url: response.url, method: response.method, status: response.status, baseURL: client.baseURL)
        guard response.isSuccessful else { throw failure(of: response, place) }
        return (response, place)
    }

    private func map(
        _ body: Payload, by matches: ResponseDescriptors.Matches, _ options: MappingOptions, _ response: RESTResponse,
        _ report: MappingReport, _ expectation: Expectation?
    ) async throws -> LoadResult {
        @Sendable func result(_ mapped: MappingResult, _ report: MappingReport) -> LoadResult {
            let parts = matches.descriptors.compactMap { descriptor in
                descriptor.models(mapped).map { LoadResult.Part(keyPath: descriptor.keyPath, models: $0) }
            }
            return LoadResult(parts: parts, response: response, report: report)
        }
        guard matches.isManaged || expectation != nil else {
            var report = report
            let mapped = try matches.payload.map(body, options: options, report: &report)
            return result(mapped, report)
        }
        guard let store else {
            throw LoadError(
                .noStore, "the response contains managed objects; create the ObjectManager with a store",
                response: response)
        }
        return try await store.perform { context in
            var updated: LoadResult.Part?
            var mapped: (result: MappingResult, report: MappingReport)?
            let saved = try context.save(expectation) { object in
                updated = try object?.updated(from: body, by: matches, options)
                guard updated == nil else { return }
                var report = report
                let found = try context.map(body, with: matches.payload, options: options, report: &report)
                if let object, matches.isManaged, !found.models.contains(where: { ($0 as? ManagedObject) === object }) {
                    throw LoadError(otherThan: object.managed.id, in: response)
                }
                mapped = (found, report)
            }
            // After the save, new objects have permanent IDs.
            var loaded =
                mapped.map { result($0.result, $0.report) }
                ?? LoadResult(parts: updated.map { [$0] } ?? [], response: response, report: report)
            loaded.saved = saved ?? .none
            return loaded
        }
    }

    /// The error of a response with another status, with the models of the error descriptors that apply to it.
    private func failure(of response: RESTResponse, _ place: ResponseDescriptor.Place) -> MappedRequestError {
        // A body that is not the error that was expected, such as a page of a proxy, is not another failure.
        let mapped = try? responses.matches(place, isError: true)
        let result = mapped.flatMap { matches in
            try? ResponseReader(response).read { (body) throws(MappingError) in try matches.payload.map(body) }
        }
        let models = (mapped?.descriptors ?? []).flatMap { descriptor -> [any Sendable] in
            guard let result, case .values(let values)? = descriptor.models(result) else { return [] }
            return values
        }
        return MappedRequestError(status: response, models: models)
    }

    /// The metadata for rules such as `.metadata("HTTP.response.headers.X-Rev")`.
    private func metadata(
        of response: RESTResponse, _ request: RESTRequest, _ matches: ResponseDescriptors.Matches,
        _ place: ResponseDescriptor.Place
    ) -> JSON {
        let parameters = matches.descriptors.reduce(into: [:]) {
            $0.merge($1.parameters(in: place)) { first, _ in first }
        }
        let items = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true)?.queryItems } ?? []
        // Names of fields are case-insensitive, and members are not: servers and proxies write `x-rev` for `X-Rev`.
        let headers = response.headers.flatMap { field in
            let value = JSON.string(response.headers[field.name] ?? field.value)
            return Set([field.name, field.name.capitalized, field.name.lowercased()]).map { (key: $0, value: value) }
        }
        return [
            "HTTP": [
                "request": [
                    "URL": .string(request.url?.absoluteString ?? ""), "method": .string(request.method.rawValue),
                ],
                "response": [
                    "URL": .string(response.url.absoluteString), "status": .integer(response.status),
                    "headers": .object(JSONObject(headers)),
                ],
            ],
            "routing": ["parameters": .object(JSONObject(parameters.map { (key: $0.key, value: .string($0.value)) }))],
            "query": [
                "parameters": .object(JSONObject(items.map { (key: $0.name, value: .string($0.value ?? "")) }))
            ],
        ]
    }
}

extension ObjectContext {
    /// Saves the changes of the expected object together with a response.
    ///
    /// Properties that others have saved since the request began are kept.
    ///
    /// - Parameter load: Loads the response.
    /// - Returns: The saved properties of the object; `nil` without an expectation.
    /// - Throws: `StoreError` of kind `missingObject` if the object was deleted; `LoadError` if its identity was replaced.
    fileprivate func save(
        _ expectation: Expectation?, _ load: (ManagedObject?) throws -> Void
    ) throws -> SavedProperties? {
        guard let expectation else {
            try load(nil)
            try save()
            return nil
        }
        let object = try object(with: expectation.id)
        let (current, identity) = (object.savedProperties, object.identityValues)
        object.assign(expectation.changes)
        try load(object)
        guard object.identityValues == identity else {
            throw LoadError(
                .otherObject, "expected the object \(expectation.id) in the response, found the identity of another one"
            )
        }
        object.restore(current, changedSince: expectation.changes)
        try save()
        return object.savedProperties
    }
}

extension ManagedObject {
    /// Updates the object if the body is a single object, with or without its identity; returns `nil` for other bodies.
    fileprivate func updated(
        from body: Payload, by matches: ResponseDescriptors.Matches, _ options: MappingOptions
    ) throws(MappingError) -> LoadResult.Part? {
        guard matches.descriptors.count == 1, let descriptor = matches.descriptors.first,
            let update = descriptor.update,
            try update(self, body, options)
        else { return nil }
        return LoadResult.Part(keyPath: descriptor.keyPath, models: .objects([managed.id]))
    }
}
