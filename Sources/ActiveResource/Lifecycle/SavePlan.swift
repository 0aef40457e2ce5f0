/// The request that saves a record, and the callbacks after it.
struct SavePlan<Record: Resource> {
    let request: RESTRequest
    let isNew: Bool
    let endings: [[ResourceCallbacks<Record>.Callback]]
}

/// The next step of a save.
enum SaveStep<Record: Resource> {
    /// Send the request.
    case send(SavePlan<Record>)
    /// The save is complete: nothing changed, the record is invalid, or a callback cancelled it.
    case done(Bool)
}

extension Resource {
    /// Validates a record, calls the callbacks and creates the request.
    static func prepareSave(_ record: inout Self, validates: Bool) throws(ResourceError) -> SaveStep<Self> {
        guard !record.resource.isSaving else {
            throw ResourceError(.saveInProgress, "\(elementName): the record is being saved by another call")
        }
        record.resource.remoteErrors = ResourceErrors()
        record.resource.errors = ResourceErrors()
        if validates {
            guard let ends = try callbacks.begin(.validation, &record) else { return .done(false) }
            record.validate(&record.resource.errors)
            try callbacks.end(ends, &record)
            guard record.resource.errors.isEmpty else { return .done(false) }
        }
        let isNew = record.isNew
        guard let saveEnds = try callbacks.begin(.save, &record),
            let ends = try callbacks.begin(isNew ? .create : .update, &record)
        else { return .done(false) }
        guard let request = try saveRequest(&record, isNew: isNew) else { return .done(true) }
        record.resource.isSaving = true
        return .send(SavePlan(request: request, isNew: isNew, endings: [ends, saveEnds]))
    }

    /// Loads the response of a save into its record; returns false if the service rejects it as invalid.
    static func finishSave(
        _ record: inout Self, _ plan: SavePlan<Self>, _ outcome: Result<RESTResponse, ResourceError>
    ) throws(ResourceError) -> Bool {
        record.resource.isSaving = false
        do throws(ResourceError) {
            let response = try outcome.get()
            if plan.isNew, let id = response.headers["Location"].flatMap(ID.init(location:)) { record.id = id }
            try load(response, to: plan.request, into: &record)
        } catch {
            if let status = error.response?.status, invalidStatuses.contains(status) {
                let errors = try problems(of: error, record)
                record.resource.remoteErrors = errors
                record.resource.errors = errors
                return false
            }
            try callbacks.handle(error, &record)
            return false
        }
        for ends in plan.endings { try callbacks.end(ends, &record) }
        return true
    }

    /// Loads the body of a response into a record, which is then persisted; a response without a body has no effect.
    static func load(
        _ response: RESTResponse, to request: RESTRequest, into record: inout Self
    ) throws(ResourceError) {
        guard response.hasRecord else { return }
        do throws(MappingError) {
            var payload = try endpoint.payload(of: response)
            try payload.removeRoot()
            let state = record.resource
            do throws(MappingError) {
                try payload.read { (input) throws(MappingError) in try mapping.update(&record, from: input) }
            } catch  where error.issues.allSatisfy({ $0.kind == .mapping }) {
                // The mapping creates its models with an initializer.
                record = try payload.read { (input) throws(MappingError) in try mapping.map(input) }
                record.resource = state
            }
            try record.markLoaded(prefix: [:], isPatched: site.updateMethod == .patch)
            record.register()
        } catch { throw ResourceError(error, request, response) }
    }

    /// Returns the request that saves a record; `nil` if nothing changed.
    private static func saveRequest(_ record: inout Self, isNew: Bool) throws(ResourceError) -> RESTRequest? {
        let endpoint = endpoint
        guard let body = try body(of: &record, isNew: isNew, endpoint) else { return nil }
        let prefix = record.resource.prefixOptions
        if isNew { return endpoint.request(.post, try endpoint.collectionPath(prefix: prefix), body: body) }
        let method: HTTPMethod = endpoint.site.updateMethod == .patch ? .patch : .put
        return endpoint.request(method, try endpoint.elementPath(record.id, prefix: prefix), body: body)
    }

    /// Returns the attributes to be sent; `nil` if nothing changed.
    private static func body(
        of record: inout Self, isNew: Bool, _ endpoint: ResourceEndpoint
    ) throws(ResourceError) -> Data? {
        do {
            var attributes = try mapping.json(of: record, options: WritingOptions(whenNil: isNew ? .omit : .null))
            if !isNew, endpoint.site.updateMethod == .patch, let original = record.resource.original {
                guard let changes = try mapping.changes(of: record, from: original) else { return nil }
                attributes = changes
            }
            // Prefix parameters are in the path and not in the body.
            for name in endpoint.prefixParameters where attributes[name].exists {
                if record.resource.prefixOptions[name] == nil {
                    record.resource.prefixOptions[name] = attributes[name].plainText
                }
                attributes = .object(JSONObject((attributes.object ?? [:]).filter { $0.key != name }))
            }
            return try endpoint.site.format.encode(attributes, root: endpoint.elementName)
        } catch { throw ResourceError(.invalidAttributes, "\(elementName): \(error)", underlying: error) }
    }

    /// Returns the problems in a response.
    private static func problems(of error: ResourceError, _ record: Self) throws(ResourceError) -> ResourceErrors {
        let names = (try? mapping.json(of: record, options: WritingOptions(whenNil: .null)))?.object?.keys ?? []
        guard let response = error.response, let body = try? endpoint.payload(of: response).json,
            let errors = remoteErrors(in: body, attributes: names), !errors.isEmpty
        else { throw error }
        return errors
    }
}

extension ResourceID {
    /// The identifier at the end of a `Location`, without an extension.
    init?(location: String) {
        let path = location.prefix { $0 != "?" && $0 != "#" }
        guard let last = path.split(separator: "/").last else { return nil }
        let name = last.lastIndex(of: ".").map { last[..<$0] } ?? last
        // Identifiers are form-encoded in paths.
        self.init(pathText: FormValue(formEncoded: "id=\(name)")["id"]?.plainText ?? String(name))
    }
}
