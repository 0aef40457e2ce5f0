/// The request that saves a record, and the callbacks after it.
struct SavePlan<Record: Resource> {
    let request: RESTRequest
    let isNew: Bool
    /// The received and sent attributes after a successful save.
    let known: KnownAttributes
    let endings: [[ResourceCallbacks<Record>.Callback]]
}

/// The next step of a save.
enum SaveStep<Record: Resource> {
    /// Send the request.
    case send(SavePlan<Record>)
    /// The save is complete without a request.
    case done(SaveOutcome)
}

extension Resource {
    /// Validates a record, calls the callbacks and creates the request.
    static func prepareSave(_ record: inout Self, validates: Bool) throws(ResourceError) -> SaveStep<Self> {
        guard !record.resource.isSaving else {
            throw ResourceError(.saveInProgress, "\(elementName): the record is being saved by another call")
        }
        // Before the callbacks: one that saves the record would send it twice.
        record.resource.isSaving = true
        var isSent = false
        defer { record.resource.isSaving = isSent }
        record.resource.remoteErrors = ResourceErrors()
        record.resource.errors = ResourceErrors()
        if validates {
            guard let errors = try validated(&record) else { return .done(.cancelled) }
            record.resource.errors = errors
            guard errors.isEmpty else { return .done(.invalid(errors)) }
        }
        let isNew = record.isNew
        guard let saveEnds = try callbacks.begin(.save, &record),
            let ends = try callbacks.begin(isNew ? .create : .update, &record)
        else { return .done(.cancelled) }
        let endings = [ends, saveEnds]
        guard let plan = try savePlan(&record, isNew: isNew, endings) else { return .done(.saved) }
        isSent = true
        return .send(plan)
    }

    /// Loads the response of a save into its record; `invalid` if the service rejects it.
    static func finishSave(
        _ record: inout Self, _ plan: SavePlan<Self>, _ outcome: Result<RESTResponse, ResourceError>
    ) throws(ResourceError) -> SaveOutcome {
        record.resource.isSaving = false
        do throws(ResourceError) {
            let response = try outcome.get()
            try accept(response, plan, &record)
            try load(response, to: plan.request, into: &record)
        } catch {
            if let status = error.response?.status, invalidStatuses.contains(status) {
                let errors = try problems(of: error, record)
                record.resource.remoteErrors = errors
                record.resource.errors = errors
                return .invalid(errors)
            }
            try callbacks.handle(error, &record)
            return .handled(error)
        }
        for ends in plan.endings { try callbacks.end(ends, &record) }
        return .saved
    }

    /// Notes the attributes that a service accepted, and the identifier of a new record.
    ///
    /// A record with an identifier is persisted, even if the response has no body.
    private static func accept(
        _ response: RESTResponse, _ plan: SavePlan<Self>, _ record: inout Self
    ) throws(ResourceError) {
        record.resource.known = plan.known
        record.resource.assigned = [:]
        guard plan.isNew else { return }
        if let id = response.headers["Location"].flatMap(ID.init(location:)) {
            do throws(MappingError) { try record.noteIdentifier({ $0.id = id }, isKnown: true) } catch {
                throw ResourceError(error, plan.request, response)
            }
        }
        record.resource.isPersisted = record.id.pathText?.isEmpty == false || singletonName != nil
    }

    /// Loads the body of a response into a record, which is then persisted; a response without a body, or with an empty
    /// object, has no effect.
    static func load(
        _ response: RESTResponse, to request: RESTRequest, into record: inout Self
    ) throws(ResourceError) {
        guard response.hasRecord else { return }
        try endpoint.read(response, to: request, removing: .record) { (body) throws(MappingError) in
            var attributes = try body.json
            if let elements = attributes.array, elements.count == 1 { attributes = elements[0] }
            if attributes.object?.isEmpty == true { return }
            try update(&record, from: body)
            try record.note(received: attributes)
            record.enter(prefix: [:])
        }
    }

    private static func update(_ record: inout Self, from payload: Payload) throws(MappingError) {
        // The update notes the attributes of this response only.
        let state = record.resource
        defer { record.resource = state }
        do throws(MappingError) {
            try payload.readRecords { (body) throws(MappingError) in try mapping.update(&record, fromMapped: body) }
        } catch  where error.issues.allSatisfy({ $0.kind == .mapping }) {
            // The mapping creates its models with an initializer.
            record = try payload.readRecords { (body) throws(MappingError) in try mapping.map(body) }
        }
    }

    /// Returns the request that saves a record; `nil` if nothing changed.
    private static func savePlan(
        _ record: inout Self, isNew: Bool, _ endings: [[ResourceCallbacks<Self>.Callback]]
    ) throws(ResourceError) -> SavePlan<Self>? {
        let endpoint = endpoint
        let method: HTTPMethod = isNew ? .post : endpoint.site.updateMethod == .patch ? .patch : .put
        guard let (attributes, known) = try attributes(of: record, method) else { return nil }
        // Prefix parameters are in the path and not in the body.
        if case .values(_, let complete) = known {
            for name in endpoint.prefixParameters where record.resource.prefixOptions[name] == nil {
                record.resource.prefixOptions[name] = complete[name].plainText
            }
        }
        let body = try encoded(attributes, endpoint)
        let prefix = record.resource.prefixOptions
        let path =
            isNew ? try endpoint.collectionPath(prefix: prefix) : try endpoint.elementPath(record.id, prefix: prefix)
        return SavePlan(
            request: endpoint.request(method, path, body: body), isNew: isNew, known: known, endings: endings)
    }

    /// Returns attributes in the format of the site, without prefix parameters, which are in the path.
    static func encoded(_ attributes: JSON, _ endpoint: ResourceEndpoint) throws(ResourceError) -> Data {
        let body = endpoint.prefixParameters.reduce(attributes) { $0.removing($1) }
        do { return try endpoint.site.format.encode(body, root: endpoint.elementName) } catch {
            throw ResourceError(invalidAttributes: error, of: elementName)
        }
    }

    /// Returns the attributes that a request sends, and the received and sent attributes after its success; `nil` if
    /// nothing changed.
    ///
    /// - Parameter method: With `PATCH`, attributes that were received are sent only if they changed. With `POST`, null is
    ///   sent only if it was assigned by name, or replaces a received value.
    static func attributes(
        of record: Self, _ method: HTTPMethod
    ) throws(ResourceError) -> (sent: JSON, known: KnownAttributes)? {
        do throws(MappingError) {
            let complete = try complete(record)
            let present = try mapping.json(of: record)
            let assigned = record.resource.assigned
            guard let (names, values) = known(of: record) else {
                // Everything counts as set.
                let sent =
                    method == .post
                    ? present.merging(AttributeSelection.part(of: complete, named: assigned)) : complete
                return (sent, sentAttributes(sent, complete))
            }
            var sent: JSON
            if method == .patch {
                sent = AttributeSelection(names: names, values: values).changes(of: complete, present: present)
                for (name, _) in assigned.object ?? [:] where !names[name].exists && !sent[name].exists {
                    sent[name] = complete[name]
                }
                if sent.object?.isEmpty != false { return nil }
            } else {
                let selection = AttributeSelection(names: names.merging(assigned), values: values)
                sent = selection.members(of: complete, present: present)
                if method == .post {
                    sent = .object(
                        JSONObject(
                            (sent.object ?? [:]).filter { name, value in
                                !value.isNull || assigned[name].exists || !value.isSame(as: values[name])
                            }))
                }
            }
            return (sent, sentAttributes(names.merging(sent), complete))
        } catch { throw ResourceError(invalidAttributes: error, of: elementName) }
    }

    /// Returns the problems in a response.
    private static func problems(of error: ResourceError, _ record: Self) throws(ResourceError) -> ResourceErrors {
        let names = (try? complete(record))?.object?.keys ?? []
        return try endpoint.problems(of: error) { body in
            remoteErrors(in: body, attributes: names).flatMap { $0.isEmpty ? nil : $0 }
        }
    }
}

extension ResourceID {
    /// The identifier at the end of a `Location`, without an extension.
    init?(location: String) {
        let path = location.prefix { $0 != "?" && $0 != "#" }
        guard let last = path.split(separator: "/").last else { return nil }
        let name = last.lastIndex(of: ".").map { last[..<$0] } ?? last
        // In a path, a plus sign is not a space.
        let encoded = name.replacing("+", with: "%2B")
        self.init(pathText: FormValue(formEncoded: "id=\(encoded)")["id"]?.plainText ?? String(name))
    }
}
