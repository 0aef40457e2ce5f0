/// The response of a success, with what maps its body.
struct Reply: Sendable {
    /// A body that is not empty, with the descriptors that apply to it.
    struct Content: Sendable {
        let matches: ResponseDescriptors.Matches
        let body: Payload
        let options: MappingOptions
    }

    let response: RESTResponse
    let report: MappingReport
    /// `nil` for an empty body.
    let content: Content?
    /// The stored objects, if the server confirmed that they are current.
    var confirmed: LoadResult?

    /// Whether the body has managed objects.
    var isManaged: Bool { content?.matches.isManaged ?? false }

    /// The mapped models, whose objects have permanent IDs after the save.
    struct Models {
        /// The expected object, and the key path at which the body has it.
        fileprivate var updated: (keyPath: JSONKeyPath, object: ManagedObject)?
        fileprivate var mapped: (result: MappingResult, report: MappingReport)?
    }

    /// Returns the models as a result.
    func result(_ models: Models) -> LoadResult {
        guard let content, let mapped = models.mapped else {
            let parts = models.updated.map { updated in
                [LoadResult.Part(keyPath: updated.keyPath, models: .objects([updated.object.managed.id]))]
            }
            return LoadResult(parts: parts ?? [], response: response, report: report)
        }
        let parts = content.matches.descriptors.compactMap { descriptor in
            descriptor.models(mapped.result).map { LoadResult.Part(keyPath: descriptor.keyPath, models: $0) }
        }
        return LoadResult(parts: parts, response: response, report: mapped.report)
    }

    /// Returns the objects in a complete body, by the index of their descriptor; `nil` if other models are in the body.
    func objects(_ models: Models) -> [Int: [ManagedObject]]? {
        guard let content, content.matches.descriptors.allSatisfy(\.isManaged) else { return nil }
        guard let mapped = models.mapped else {
            return models.updated.map { updated in
                let index = content.matches.descriptors.firstIndex { $0.keyPath == updated.keyPath } ?? 0
                return [index: [updated.object]]
            }
        }
        guard mapped.report.rejected.isEmpty else { return nil }
        return content.matches.descriptors.enumerated().reduce(into: [:]) { objects, descriptor in
            objects[descriptor.offset] = descriptor.element.objects(mapped.result)
        }
    }

    /// Returns the reason why a response does not have all objects of its path; `nil` if it does.
    func defect(_ models: Models) -> String? {
        if response.status != 200 { return "the status is \(response.status), not 200" }
        if response.redirects > 0 { return "the request was redirected" }
        guard let content, let mapped = models.mapped else { return "the body has no list" }
        guard mapped.report.rejected.isEmpty, mapped.report.issues.isEmpty else { return "the body has issues" }
        let missing = content.matches.descriptors.first { $0.isManaged && $0.objects(mapped.result) == nil }
        return missing.map { "the body has no value at '\($0.keyPath)'" }
    }

    /// Returns the managed objects in the body, in the order of the descriptors.
    func managedObjects(_ models: Models) -> [ManagedObject] {
        guard let content, let mapped = models.mapped else { return models.updated.map { [$0.object] } ?? [] }
        return content.matches.descriptors.filter(\.isManaged).flatMap { $0.objects(mapped.result) ?? [] }
            .filter { $0.managed.context != nil }
    }

    /// Maps a body without managed objects.
    func map() throws(MappingError) -> LoadResult {
        guard let content else { return result(Models()) }
        var report = report
        let mapped = try content.matches.payload.map(content.body, options: content.options, report: &report)
        return result(Models(mapped: (mapped, report)))
    }

    /// Maps the body into a context.
    ///
    /// - Parameter object: An object that the body must contain if it has managed objects; `nil` for any.
    func map(into context: ObjectContext, updating object: ManagedObject? = nil) throws -> Models {
        var models = Models()
        guard let content else { return models }
        if let object, let keyPath = try object.update(from: content) { models.updated = (keyPath, object) }
        guard models.updated == nil || content.matches.descriptors.count > 1 else { return models }
        var report = report
        let found = try context.map(
            content.body, with: content.matches.payload, options: content.options, report: &report)
        if let object, isManaged, !found.models.contains(where: { ($0 as? ManagedObject) === object }) {
            throw LoadError(otherThan: object.managed.id, in: response)
        }
        models.mapped = (found, report)
        return models
    }

    /// Returns an error of the mapping as that of the response.
    func failure(_ error: any Error) -> any Error {
        (error as? MappingError).map(ResponseReader(response).failure) ?? error
    }
}

extension ManagedObject {
    /// Updates the object if the only descriptor of its class has a single object, with or without its identity.
    ///
    /// - Returns: The key path of the object; `nil` for other bodies.
    fileprivate func update(from content: Reply.Content) throws(MappingError) -> JSONKeyPath? {
        let own = content.matches.descriptors.filter { descriptor in
            descriptor.isManaged && ObjectIdentifier(descriptor.type) == ObjectIdentifier(Swift.type(of: self))
        }
        guard own.count == 1, let update = own[0].update, try update(self, content.body, content.options) else {
            return nil
        }
        return own[0].keyPath
    }
}
