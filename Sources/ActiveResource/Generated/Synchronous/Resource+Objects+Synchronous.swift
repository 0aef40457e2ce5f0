// Written by scripts/generate-resource-calls; do not edit.

extension Resource where Self: AnyObject {
    /// Saves the object: POST for a new one, PUT or PATCH for a persisted one; blocks the thread.
    ///
    /// - Parameter validates: Whether `validate(_:)` is called before. Defaults to `true`.
    /// - Returns: `false` if the object is invalid, or if a callback cancelled the save.
    /// - Throws: `ResourceError` for any other status, and of kind `saveInProgress` during another save of the object.
    @available(*, noasync, message: "saveSync blocks the thread; use `await save()`")
    public func saveSync(validates: Bool = true) throws(ResourceError) -> Bool {
        var object = self
        return try recordKind.saveSync(&object, validates: validates)
    }

    /// Saves the object, and throws an error if that fails; blocks the thread.
    ///
    /// - Throws: `ResourceError`, of kind `invalid` if the object is invalid.
    @available(*, noasync, message: "saveOrThrowSync blocks the thread; use `await saveOrThrow()`")
    public func saveOrThrowSync() throws(ResourceError) {
        var object = self
        try recordKind.saveOrThrowSync(&object)
    }

    /// Changes the object and saves it; blocks the thread.
    ///
    /// - Returns: `false` if the object is invalid; the change remains in the object.
    /// - Throws: `ResourceError`, like `save(validates:)`.
    @available(*, noasync, message: "updateSync blocks the thread; use `await update()`")
    public func updateSync(_ change: (Self) -> Void) throws(ResourceError) -> Bool {
        change(self)
        return try saveSync()
    }

    /// Reads attributes into the object and saves it; blocks the thread.
    ///
    /// - Parameter attributes: The attributes by their names in the JSON.
    /// - Returns: `false` if the object is invalid; the attributes remain in the object.
    /// - Throws: `ResourceError`, like `save(validates:)`.
    @available(*, noasync, message: "updateAttributesSync blocks the thread; use `await updateAttributes()`")
    public func updateAttributesSync(
        _ attributes: [String: any JSONConvertible]
    ) throws(ResourceError) -> Bool {
        var object = self
        try recordKind.assign(attributes.mapValues { $0.json }, to: &object)
        return try recordKind.saveSync(&object)
    }

    /// Loads the object again; attributes that the response does not contain are unchanged; blocks the thread.
    ///
    /// - Throws: `ResourceError`; its kind is `notFound` if the service no longer has the record.
    @available(*, noasync, message: "reloadSync blocks the thread; use `await reload()`")
    public func reloadSync() throws(ResourceError) {
        var object = self
        try recordKind.reloadSync(&object)
    }
}
