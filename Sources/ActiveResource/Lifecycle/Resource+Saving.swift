extension Resource {
    /// Saves the record: POST for a new one, PUT or PATCH for a persisted one.
    ///
    /// PUT sends the attributes that were received or set, PATCH those that changed; see <doc:SentAttributes>. The
    /// attributes in the response are loaded into the record. After a response without a body, a new record is persisted
    /// if it has an identifier, such as that in `Location`.
    ///
    /// - Parameter validates: Whether ``validate(_:)`` is called before. Defaults to `true`.
    /// - Returns: `false` if its validation or the service rejects the record as invalid, or if a callback cancelled
    ///   the save; see ``errors``.
    /// - Throws: `ResourceError` for any other status, and if there is no response.
    public nonisolated(nonsending) mutating func save(validates: Bool = true) async throws(ResourceError) -> Bool {
        try await Self.recordKind.save(&self, validates: validates)
    }

    /// Saves the record, and throws an error if that fails.
    ///
    /// - Throws: `ResourceError`, of kind `invalid` if the record is invalid, and of kind `callbackCancelled` if a callback
    ///   cancelled the save. An error that a `rescue` handler handled is thrown after it.
    public nonisolated(nonsending) mutating func saveOrThrow() async throws(ResourceError) {
        try await recordKind.saveOrThrow(&self)
    }

    /// Saves a copy of the record and returns it, for records that are properties of an actor.
    ///
    /// ```swift
    /// person = try await person.saved()
    /// ```
    ///
    /// - Throws: `ResourceError`, of kind `invalid` if the record is invalid, and of kind `callbackCancelled` if a callback
    ///   cancelled the save. An error that a `rescue` handler handled is thrown after it.
    public nonisolated(nonsending) func saved() async throws(ResourceError) -> Self {
        try await recordKind.saved(self)
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
        return try await recordKind.save(&self)
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
        try recordKind.assign(attributes.mapValues { $0.json }, to: &self)
        return try await recordKind.save(&self)
    }

    /// Loads the record again; attributes that the response does not contain are unchanged.
    ///
    /// - Throws: `ResourceError`; its kind is `notFound` if the service no longer has the record.
    public nonisolated(nonsending) mutating func reload() async throws(ResourceError) {
        try await recordKind.reload(&self)
    }

    /// The problems of the record: those of its validation, and those in the response to the last save.
    ///
    /// Callbacks of the validation are called with a copy of a struct. An error or a cancellation by a callback is a problem
    /// of the record.
    public var validationErrors: ResourceErrors {
        var record = self
        var errors = ResourceErrors()
        do throws(ResourceError) {
            if let found = try Self.recordKind.validated(&record) {
                errors = found
            } else {
                errors.add("a callback cancelled the validation")
            }
        } catch { errors.add(error.description) }
        errors.append(contentsOf: resource.remoteErrors)
        return errors
    }

    /// Whether the record has no problems; see ``validationErrors``.
    public var isValid: Bool { validationErrors.isEmpty }
}

extension Resource {
    /// Deletes the record at the service and removes it from its ``ResourceRegistry``; the value itself does not change.
    ///
    /// - Returns: The response; `nil` if a callback cancelled or handled it.
    /// - Throws: `ResourceError`; its kind is `notFound` or `gone` if the service does not have the record.
    @discardableResult
    public nonisolated(nonsending) func destroy() async throws(ResourceError) -> RESTResponse? {
        try await recordKind.destroy(self)
    }

    /// Deletes a record by its identifier, without callbacks.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - prefix: The values of the prefix parameters.
    ///   - query: Parameters of the query.
    /// - Throws: `ResourceError`; its kind is `notFound` or `gone` if the service does not have the record.
    @discardableResult
    public nonisolated(nonsending) static func delete(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> RESTResponse {
        try await recordKind.delete(id, prefix.prefixOptions, FormValue(query))
    }
}
