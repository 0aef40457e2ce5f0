// Written by scripts/generate-resource-calls; do not edit.

extension Resource {
    /// Saves the record: POST for a new one, PUT or PATCH for a persisted one; blocks the thread.
    ///
    /// PUT sends the attributes that were received or set, PATCH those that changed; see <doc:SentAttributes>. The
    /// attributes in the response are loaded into the record. After a response without a body, a new record is persisted
    /// if it has an identifier, such as that in `Location`.
    ///
    /// - Parameter validates: Whether ``validate(_:)`` is called before. Defaults to `true`.
    /// - Returns: `false` if its validation or the service rejects the record as invalid, or if a callback cancelled
    ///   the save; see ``errors``.
    /// - Throws: `ResourceError` for any other status, and if there is no response.
    @available(*, noasync, message: "saveSync blocks the thread; use `await save()`")
    public mutating func saveSync(validates: Bool = true) throws(ResourceError) -> Bool {
        try Self.recordKind.saveSync(&self, validates: validates)
    }

    /// Saves the record, and throws an error if that fails; blocks the thread.
    ///
    /// - Throws: `ResourceError`, of kind `invalid` if the record is invalid, and of kind `callbackCancelled` if a callback
    ///   cancelled the save. An error that a `rescue` handler handled is thrown after it.
    @available(*, noasync, message: "saveOrThrowSync blocks the thread; use `await saveOrThrow()`")
    public mutating func saveOrThrowSync() throws(ResourceError) {
        try recordKind.saveOrThrowSync(&self)
    }

    /// Saves a copy of the record and returns it, for records that are properties of an actor; blocks the thread.
    ///
    /// - Throws: `ResourceError`, of kind `invalid` if the record is invalid, and of kind `callbackCancelled` if a callback
    ///   cancelled the save. An error that a `rescue` handler handled is thrown after it.
    @available(*, noasync, message: "savedSync blocks the thread; use `await saved()`")
    public func savedSync() throws(ResourceError) -> Self {
        try recordKind.savedSync(self)
    }

    /// Changes the record and saves it; blocks the thread.
    ///
    /// With a site whose ``ResourceSite/updateMethod-swift.property`` is `patch`, only the change is sent.
    ///
    /// - Returns: `false` if the record is invalid; the change remains in the record.
    /// - Throws: `ResourceError`, like `save(validates:)`.
    @available(*, noasync, message: "updateSync blocks the thread; use `await update()`")
    public mutating func updateSync(
        _ change: (inout Self) -> Void
    ) throws(ResourceError) -> Bool {
        change(&self)
        return try recordKind.saveSync(&self)
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

    /// Loads the record again; attributes that the response does not contain are unchanged; blocks the thread.
    ///
    /// - Throws: `ResourceError`; its kind is `notFound` if the service no longer has the record.
    @available(*, noasync, message: "reloadSync blocks the thread; use `await reload()`")
    public mutating func reloadSync() throws(ResourceError) {
        try recordKind.reloadSync(&self)
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

    /// Deletes a record by its identifier, without callbacks; blocks the thread.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - prefix: The values of the prefix parameters.
    ///   - query: Parameters of the query.
    /// - Throws: `ResourceError`; its kind is `notFound` or `gone` if the service does not have the record.
    @available(*, noasync, message: "deleteSync blocks the thread; use `await delete()`")
    @discardableResult
    public static func deleteSync(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> RESTResponse {
        try recordKind.deleteSync(id, prefix.prefixOptions, FormValue(query))
    }
}
