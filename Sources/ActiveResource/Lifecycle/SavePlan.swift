/// The request that saves a record, and the callbacks after it.
struct SavePlan<Record> {
    let request: RESTRequest
    let isNew: Bool
    /// The received and sent attributes after a successful save.
    let known: KnownAttributes
    let endings: [[ResourceCallbacks<Record>.Callback]]
}

/// The next step of a save.
enum SaveStep<Record> {
    /// Send the request.
    case send(SavePlan<Record>)
    /// The save is complete without a request.
    case done(SaveOutcome)
}

extension RecordKind {
    /// Validates a record, calls the callbacks and creates the request.
    func prepareSave(_ record: inout Record, validates: Bool) throws(ResourceError) -> SaveStep<Record> {
        guard !record[keyPath: state].isSaving else {
            throw ResourceError(.saveInProgress, "\(endpoint.elementName): the record is being saved by another call")
        }
        // Before the callbacks: one that saves the record would send it twice.
        record[keyPath: state].isSaving = true
        var isSent = false
        defer { record[keyPath: state].isSaving = isSent }
        record[keyPath: state].remoteErrors = ResourceErrors()
        record[keyPath: state].errors = ResourceErrors()
        if validates {
            guard let errors = try validated(&record) else { return .done(.cancelled) }
            record[keyPath: state].errors = errors
            guard errors.isEmpty else {
                return .done(
                    .invalid(
                        ResourceError(.invalid, "\(endpoint.elementName) is invalid: \(errors)", errors: errors)))
            }
        }
        let isNew = !record[keyPath: state].isPersisted
        guard let saveEnds = try callbacks.begin(.save, &record),
            let ends = try callbacks.begin(isNew ? .create : .update, &record)
        else { return .done(.cancelled) }
        guard let plan = try savePlan(&record, isNew: isNew, [ends, saveEnds]) else { return .done(.saved) }
        isSent = true
        return .send(plan)
    }

    /// Returns the problems of a record; `nil` if a callback cancels the validation.
    func validated(_ record: inout Record) throws(ResourceError) -> ResourceErrors? {
        guard let ends = try callbacks.begin(.validation, &record) else { return nil }
        var errors = ResourceErrors()
        validate(record, &errors)
        try callbacks.end(ends, &record)
        return errors
    }

    /// Loads the response of a save into its record; `invalid` if the service rejects it.
    func finishSave(
        _ record: inout Record, _ plan: SavePlan<Record>, _ outcome: Result<RESTResponse, ResourceError>
    ) throws(ResourceError) -> SaveOutcome {
        record[keyPath: state].isSaving = false
        do throws(ResourceError) {
            let response = try outcome.get()
            try accept(response, plan, &record)
            try load(response, to: plan.request, into: &record)
        } catch {
            if let status = error.response?.status, invalidStatuses.contains(status) {
                let errors = try endpoint.problems(of: error) { body in
                    remoteErrors(in: body, of: record).flatMap { $0.isEmpty ? nil : $0 }
                }
                record[keyPath: state].remoteErrors = errors
                record[keyPath: state].errors = errors
                return .invalid(
                    ResourceError(
                        .invalid, "\(endpoint.elementName) is invalid", request: error.request,
                        response: error.response, errors: errors))
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
    private func accept(
        _ response: RESTResponse, _ plan: SavePlan<Record>, _ record: inout Record
    ) throws(ResourceError) {
        record[keyPath: state].known = plan.known
        (record[keyPath: state].assigned, record[keyPath: state].assignedValues) = ([:], [:])
        guard plan.isNew else { return }
        if let location = response.headers["Location"] {
            do throws(MappingError) { try identify(&record, byLocation: location) } catch {
                throw ResourceError(error, plan.request, response)
            }
        }
        record[keyPath: state].isPersisted =
            id(of: record)?.pathText?.isEmpty == false || endpoint.singletonName != nil
    }

    /// Loads the body of a response into a record, which is then persisted; a response without a body, or with an empty
    /// object, has no effect.
    func load(
        _ response: RESTResponse, to request: RESTRequest, into record: inout Record
    ) throws(ResourceError) {
        guard response.hasRecord else { return }
        try endpoint.read(response, to: request, removing: .record) { (body) throws(MappingError) in
            var attributes = try body.json
            if let elements = attributes.array, elements.count == 1 { attributes = elements[0] }
            if attributes.object?.isEmpty == true { return }
            try receive(attributes, in: body, into: &record)
        }
    }

    /// Returns the request that saves a record; `nil` if nothing changed.
    private func savePlan(
        _ record: inout Record, isNew: Bool, _ endings: [[ResourceCallbacks<Record>.Callback]]
    ) throws(ResourceError) -> SavePlan<Record>? {
        let endpoint = endpoint
        let method: HTTPMethod = isNew ? .post : endpoint.site.updateMethod == .patch ? .patch : .put
        guard let (attributes, known) = try attributes(of: record, method) else { return nil }
        // Prefix parameters are in the path and not in the body.
        if case .values(_, let complete) = known {
            for name in endpoint.prefixParameters where record[keyPath: state].prefixOptions[name] == nil {
                record[keyPath: state].prefixOptions[name] = complete[name].plainText
            }
        }
        let body = try encoded(attributes)
        let prefix = record[keyPath: state].prefixOptions
        let path =
            isNew
            ? try endpoint.collectionPath(prefix: prefix) : try endpoint.elementPath(id(of: record), prefix: prefix)
        return SavePlan(
            request: endpoint.request(method, path, body: body), isNew: isNew, known: known, endings: endings)
    }

    /// Returns a record in the format of the site.
    func encoded(_ record: Record) throws(ResourceError) -> Data {
        let isNew = !record[keyPath: state].isPersisted
        return try encoded(try attributes(of: record, isNew ? .post : .put)?.sent ?? [:])
    }

    /// Returns attributes in the format of the site, without prefix parameters, which are in the path.
    private func encoded(_ attributes: JSON) throws(ResourceError) -> Data {
        let endpoint = endpoint
        let body = endpoint.prefixParameters.reduce(attributes) { $0.removing([$1]) }
        do { return try endpoint.site.format.encode(body, root: endpoint.elementName) } catch {
            throw ResourceError(invalidAttributes: error, of: endpoint.elementName)
        }
    }

    /// Returns the attributes that a request sends, and the received and sent attributes after its success; `nil` if
    /// nothing changed.
    ///
    /// - Parameter method: With `PATCH`, attributes that were received are sent only if they changed. With `POST`, null is
    ///   sent only if it was assigned by name, or replaces a received value.
    private func attributes(
        of record: Record, _ method: HTTPMethod
    ) throws(ResourceError) -> (sent: JSON, known: KnownAttributes)? {
        do throws(MappingError) {
            let (complete, present) = try written(record)
            let assigned = record[keyPath: state].assigned
            guard let (names, values) = known(of: record, for: method) else {
                // Everything counts as set.
                let sent =
                    method == .post
                    ? present.merging(AttributeSelection.part(of: complete, named: assigned)) : complete
                return (sent, known(afterSending: sent, of: complete))
            }
            var sent: JSON
            if method == .patch {
                sent = AttributeSelection(names: names, values: values).changes(of: complete, present: present)
                for (name, _) in assigned.object ?? [:] where !names[name].exists && !sent[name].exists {
                    sent[name] = complete[name]
                }
                if sent.object?.isEmpty != false { return nil }
            } else {
                let selection = AttributeSelection(
                    names: names.merging(assigned), values: values.merging(record[keyPath: state].assignedValues))
                sent = selection.members(of: complete, present: present)
                if method == .post {
                    sent = .object(
                        JSONObject(
                            (sent.object ?? [:]).filter { name, value in
                                !value.isNull || assigned[name].exists || !value.isSame(as: values[name])
                            }))
                }
            }
            return (sent, known(afterSending: names.merging(sent), of: complete))
        } catch { throw ResourceError(invalidAttributes: error, of: endpoint.elementName) }
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
