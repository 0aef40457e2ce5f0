// Written by scripts/generate-resource-calls; do not edit.

extension DynamicResource {
    /// Saves the record, and throws an error if that fails.
    ///
    /// - Throws: `ResourceError`, of kind `invalid` if the record is invalid, and of kind `callbackCancelled` if a callback
    ///   cancelled the save. An error that a `rescue` handler handled is thrown after it.
    public nonisolated(nonsending) mutating func saveOrThrow() async throws(ResourceError) {
        try await recordKind.saveOrThrow(&self)
    }

    /// Saves the record, and throws an error if that fails; blocks the thread.
    ///
    /// - Throws: `ResourceError`, of kind `invalid` if the record is invalid, and of kind `callbackCancelled` if a callback
    ///   cancelled the save. An error that a `rescue` handler handled is thrown after it.
    @available(*, noasync, message: "saveOrThrowSync blocks the thread; use `await saveOrThrow()`")
    public mutating func saveOrThrowSync() throws(ResourceError) {
        try recordKind.saveOrThrowSync(&self)
    }

    /// Saves a copy of the record and returns it, for records that are properties of an actor.
    ///
    /// ```swift
    /// person = try await person.saved()
    /// ```
    ///
    /// - Throws: `ResourceError`, of kind `invalid` if the record is invalid, and of kind `callbackCancelled` if a callback
    ///   cancelled the save. An error that a `rescue` handler handled is thrown after it.
    public nonisolated(nonsending) func saved() async throws(ResourceError) -> DynamicResource {
        try await recordKind.saved(self)
    }

    /// Saves a copy of the record and returns it, for records that are properties of an actor; blocks the thread.
    ///
    /// - Throws: `ResourceError`, of kind `invalid` if the record is invalid, and of kind `callbackCancelled` if a callback
    ///   cancelled the save. An error that a `rescue` handler handled is thrown after it.
    @available(*, noasync, message: "savedSync blocks the thread; use `await saved()`")
    public func savedSync() throws(ResourceError) -> DynamicResource {
        try recordKind.savedSync(self)
    }

    /// Changes the record and saves it.
    ///
    /// With a site whose ``ResourceSite/updateMethod-swift.property`` is `patch`, only the change is sent.
    ///
    /// - Returns: `false` if the record is invalid; the change remains in the record.
    /// - Throws: `ResourceError`, like `save(validates:)`.
    public nonisolated(nonsending) mutating func update(
        _ change: (inout DynamicResource) -> Void
    ) async throws(ResourceError) -> Bool {
        change(&self)
        return try await recordKind.save(&self)
    }

    /// Changes the record and saves it; blocks the thread.
    ///
    /// With a site whose ``ResourceSite/updateMethod-swift.property`` is `patch`, only the change is sent.
    ///
    /// - Returns: `false` if the record is invalid; the change remains in the record.
    /// - Throws: `ResourceError`, like `save(validates:)`.
    @available(*, noasync, message: "updateSync blocks the thread; use `await update()`")
    public mutating func updateSync(
        _ change: (inout DynamicResource) -> Void
    ) throws(ResourceError) -> Bool {
        change(&self)
        return try recordKind.saveSync(&self)
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

    /// Reads attributes into the record and saves it; blocks the thread.
    ///
    /// - Parameter attributes: The attributes by their names in the JSON.
    /// - Returns: `false` if the record is invalid; the attributes remain in the record.
    /// - Throws: `ResourceError`, like `save(validates:)`, and of kind `invalidAttributes` if the mapping does not
    ///   accept the attributes.
    @available(*, noasync, message: "updateAttributesSync blocks the thread; use `await updateAttributes()`")
    public mutating func updateAttributesSync(
        _ attributes: [String: any JSONConvertible]
    ) throws(ResourceError) -> Bool {
        try recordKind.assign(attributes.mapValues { $0.json }, to: &self)
        return try recordKind.saveSync(&self)
    }

    /// Loads the record again; attributes that the response does not contain are unchanged.
    ///
    /// - Throws: `ResourceError`; its kind is `notFound` if the service no longer has the record.
    public nonisolated(nonsending) mutating func reload() async throws(ResourceError) {
        try await recordKind.reload(&self)
    }

    /// Loads the record again; attributes that the response does not contain are unchanged; blocks the thread.
    ///
    /// - Throws: `ResourceError`; its kind is `notFound` if the service no longer has the record.
    @available(*, noasync, message: "reloadSync blocks the thread; use `await reload()`")
    public mutating func reloadSync() throws(ResourceError) {
        try recordKind.reloadSync(&self)
    }

    /// Deletes the record at the service and removes it from its ``ResourceRegistry``; the value itself does not change.
    ///
    /// - Returns: The response; `nil` if a callback cancelled or handled it.
    /// - Throws: `ResourceError`; its kind is `notFound` or `gone` if the service does not have the record.
    @discardableResult
    public nonisolated(nonsending) func destroy() async throws(ResourceError) -> RESTResponse? {
        try await recordKind.destroy(self)
    }

    /// Deletes the record at the service and removes it from its ``ResourceRegistry``; the value itself does not change; blocks the thread.
    ///
    /// - Returns: The response; `nil` if a callback cancelled or handled it.
    /// - Throws: `ResourceError`; its kind is `notFound` or `gone` if the service does not have the record.
    @available(*, noasync, message: "destroySync blocks the thread; use `await destroy()`")
    @discardableResult
    public func destroySync() throws(ResourceError) -> RESTResponse? {
        try recordKind.destroySync(self)
    }
}
