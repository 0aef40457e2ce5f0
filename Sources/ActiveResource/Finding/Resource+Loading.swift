extension Resource {
    /// Returns the record in a response, marked as persisted.
    static func record(
        of response: RESTResponse, to request: RESTRequest, prefix: [String: String], at endpoint: ResourceEndpoint
    ) throws(ResourceError) -> Self {
        guard response.hasRecord else {
            throw ResourceError(
                .unexpectedContent, "expected a record, found an empty body", request: request, response: response)
        }
        do throws(MappingError) {
            var payload = try endpoint.payload(of: response)
            try payload.removeRoot()
            var record = try payload.read { (input) throws(MappingError) in try mapping.map(input) }
            try record.markLoaded(prefix: prefix, isPatched: endpoint.site.updateMethod == .patch)
            record.register()
            return record
        } catch { throw ResourceError(error, request, response) }
    }

    /// Returns the records in a response, marked as persisted.
    static func page(
        of response: RESTResponse, to request: RESTRequest, prefix: [String: String]
    ) throws(ResourceError) -> ResourcePage<Self> {
        // An empty list, such as one of status 204.
        guard response.status != 304 else {
            throw ResourceError(
                .unknownStatus, "expected a list, found 304 Not Modified", request: request, response: response)
        }
        guard response.hasRecord else { return ResourcePage([], response: response) }
        do throws(MappingError) {
            var payload = try endpoint.payload(of: response)
            var data = JSON.null
            if let parse = collectionParser.records {
                data = try payload.json
                payload = Payload(try parsed(data, parse))
            }
            try payload.removeRoots(named: elementName)
            var records = try payload.read { (input) throws(MappingError) in try mapping.mapAll(input) }
            let isPatched = site.updateMethod == .patch
            for index in records.indices { try records[index].markLoaded(prefix: prefix, isPatched: isPatched) }
            if Self.self is any RegisteredResource.Type { for record in records { record.register() } }
            return ResourcePage(records, response: response, data: data)
        } catch { throw ResourceError(error, request, response) }
    }

    private static func parsed(_ body: JSON, _ parse: (JSON) throws -> JSON) throws(MappingError) -> JSON {
        let found: String
        do {
            let records = try parse(body)
            if records.exists { return records }
            found = "a body without them"
        } catch { found = "\(error)" }
        throw MappingError(MappingIssue(kind: .notFound, path: "$", expected: "records in the body", found: found))
    }

    /// Marks a record as unchanged and persisted.
    ///
    /// - Parameter isPatched: Whether changes are saved with PATCH, which requires a copy of the current attributes.
    mutating func markLoaded(prefix: [String: String], isPatched: Bool) throws(MappingError) {
        resource.isPersisted = true
        if !prefix.isEmpty { resource.prefixOptions.merge(prefix) { $1 } }
        if isPatched { resource.original = try Self.mapping.json(of: self) }
    }

    /// Adds the record to the registry of its type, if it has one.
    func register() { (self as? any RegisteredResource)?.enter() }

    /// Removes a record from the registry of its type, if it has one.
    static func unregister(_ id: some ResourceID, prefix: [String: String]) {
        (Self.self as? any RegisteredResource.Type)?.remove(id, prefix: prefix)
    }

    /// Creates a record with attributes; those that are prefix parameters are added to the prefix options.
    static func make(_ attributes: [String: JSON], prefix: [String: String]) throws(ResourceError) -> Self {
        let inPrefix = Set(endpoint.prefixParameters)
        var options = prefix
        var members: [(key: String, value: JSON)] = []
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            if inPrefix.contains(name) { options[name] = value.plainText } else { members.append((name, value)) }
        }
        do throws(MappingError) {
            var record = try mapping.map(
                JSON.object(JSONObject(members)), options: MappingOptions(requiresMappedKey: false))
            record.resource = ResourceState(prefixOptions: options)
            return record
        } catch { throw ResourceError(.invalidAttributes, "\(elementName): \(error)", underlying: error) }
    }
}

extension JSON {
    /// The text of a string, a number or a Boolean, for a path.
    var plainText: String? {
        if let string { return string }
        return exists && !isNull && array == nil && object == nil ? text : nil
    }
}
