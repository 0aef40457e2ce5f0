extension Resource {
    /// Saves the record: POST for a new one, PUT or PATCH for a persisted one.
    ///
    /// The attributes in the response are loaded into the record, which is then persisted. After a response without a
    /// body, such as a 201 with a `Location`, the record has its identifier, but is still new; `reload()` loads it.
    ///
    /// - Parameter validates: Whether ``validate(_:)`` is called before. Defaults to `true`.
    /// - Returns: `false` if its validation or the service rejects the record as invalid, or if a callback cancelled
    ///   the save; see ``errors``.
    /// - Throws: `ResourceError` for any other status, and if there is no response.
    public nonisolated(nonsending) mutating func save(validates: Bool = true) async throws(ResourceError) -> Bool {
        try await Self.save(&self, validates: validates)
    }

    /// Saves the record, and throws an error if that fails.
    ///
    /// - Throws: `ResourceError`, of kind `invalid` if the record is invalid.
    public nonisolated(nonsending) mutating func saveOrThrow() async throws(ResourceError) {
        if try await !Self.save(&self) { throw Self.invalid(self) }
    }

    /// Saves a copy of the record and returns it, for records that are properties of an actor.
    ///
    /// ```swift
    /// person = try await person.saved()
    /// ```
    ///
    /// - Throws: `ResourceError`, of kind `invalid` if the record is invalid.
    public nonisolated(nonsending) func saved() async throws(ResourceError) -> Self {
        var copy = self
        if try await !Self.save(&copy) { throw Self.invalid(copy) }
        return copy
    }

    /// Changes the record and saves it.
    ///
    /// With a site whose ``ResourceSite/updateMethod-swift.property`` is `patch`, only the change is sent.
    ///
    /// - Returns: `false` if the record is invalid; the change remains in the record.
    /// - Throws: `ResourceError`, like `save(validates:)`.
    public nonisolated(nonsending) mutating func update(
        _ change: (inout Self) -> Void
    ) async throws(ResourceError) -> Bool {
        change(&self)
        return try await Self.save(&self)
    }

    /// Reads attributes into the record and saves it.
    ///
    /// - Parameter attributes: The attributes by their names in the JSON.
    /// - Returns: `false` if the record is invalid; the attributes remain in the record.
    /// - Throws: `ResourceError`, like `save(validates:)`, and of kind `invalidAttributes` if the mapping does not
    ///   accept the attributes.
    public nonisolated(nonsending) mutating func updateAttributes(
        _ attributes: [String: any JSONConvertible]
    ) async throws(ResourceError) -> Bool {
        try Self.read(attributes, into: &self)
        return try await Self.save(&self)
    }

    /// Loads the record again; attributes that the response does not contain are unchanged.
    ///
    /// - Throws: `ResourceError`; its kind is `notFound` if the service no longer has the record.
    public nonisolated(nonsending) mutating func reload() async throws(ResourceError) {
        try await Self.reload(&self)
    }

    /// Saves the record and blocks the thread, for scripts.
    ///
    /// - Returns: The result of `save(validates:)`.
    /// - Throws: `ResourceError`, like `save(validates:)`.
    @available(*, noasync, message: "saveSync blocks the thread; use `await save()`")
    public mutating func saveSync(validates: Bool = true) throws(ResourceError) -> Bool {
        try Self.saveSync(&self, validates: validates)
    }

    /// Loads the record again and blocks the thread, for scripts.
    ///
    /// - Throws: `ResourceError`, like `reload()`.
    @available(*, noasync, message: "it blocks the thread; await reload()")
    public mutating func reloadSync() throws(ResourceError) {
        let endpoint = Self.endpoint
        let request = try endpoint.findRequest(id, resource.prefixOptions)
        try Self.load(endpoint.sendSynchronously(request), to: request, into: &self)
    }

    /// The problems of the record: those of its validation, and those in the response to the last save.
    public var validationErrors: ResourceErrors {
        var errors = ResourceErrors()
        validate(&errors)
        errors.append(contentsOf: resource.remoteErrors)
        return errors
    }

    /// Whether the record has no problems; see ``validationErrors``.
    public var isValid: Bool { validationErrors.isEmpty }
}

extension Resource {
    nonisolated(nonsending) static func save(
        _ record: inout Self, validates: Bool = true
    ) async throws(ResourceError) -> Bool {
        switch try prepareSave(&record, validates: validates) {
        case .done(let isSaved): return isSaved
        case .send(let plan):
            let outcome: Result<RESTResponse, ResourceError>
            do throws(ResourceError) {
                outcome = .success(try await endpoint.send(plan.request))
            } catch { outcome = .failure(error) }
            return try finishSave(&record, plan, outcome)
        }
    }

    @available(*, noasync)
    static func saveSync(_ record: inout Self, validates: Bool) throws(ResourceError) -> Bool {
        switch try prepareSave(&record, validates: validates) {
        case .done(let isSaved): return isSaved
        case .send(let plan):
            let outcome = Result { () throws(ResourceError) in try endpoint.sendSynchronously(plan.request) }
            return try finishSave(&record, plan, outcome)
        }
    }

    nonisolated(nonsending) static func reload(_ record: inout Self) async throws(ResourceError) {
        let endpoint = endpoint
        let request = try endpoint.findRequest(record.id, record.resource.prefixOptions)
        guard let ends = try callbacks.begin(.reload, &record) else { return }
        do throws(ResourceError) {
            let response = try await endpoint.send(request)
            guard response.hasRecord else {
                throw ResourceError(
                    .unexpectedContent, "expected a record, found an empty body", request: request, response: response)
            }
            try load(response, to: request, into: &record)
        } catch { return try callbacks.handle(error, &record) }
        try callbacks.end(ends, &record)
    }

    static func read(
        _ attributes: [String: any JSONConvertible], into record: inout Self
    ) throws(ResourceError) {
        let values = try declared(attributes.mapValues(\.json), prefix: &record.resource.prefixOptions)
        do throws(MappingError) { try mapping.update(&record, from: values) } catch {
            throw ResourceError(.invalidAttributes, "\(elementName): \(error)", underlying: error)
        }
        record.resource.assigned = record.resource.assigned.merging(values)
    }

    static func invalid(_ record: Self) -> ResourceError {
        let errors = record.resource.errors
        return ResourceError(
            .invalid, errors.isEmpty ? "a callback cancelled the save" : "\(elementName) is invalid: \(errors)",
            errors: errors)
    }
}
