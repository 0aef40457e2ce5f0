extension Resource where Self: AnyObject {
    // The methods for objects, which are not `mutating`: an object can be a constant, or a property of an actor.

    /// Saves the object: POST for a new one, PUT or PATCH for a persisted one.
    ///
    /// - Parameter validates: Whether `validate(_:)` is called before. Defaults to `true`.
    /// - Returns: `false` if the object is invalid, or if a callback cancelled the save.
    /// - Throws: `ResourceError` for any other status, and of kind `saveInProgress` during another save of the object.
    public nonisolated(nonsending) func save(validates: Bool = true) async throws(ResourceError) -> Bool {
        var object = self
        return try await recordKind.save(&object, validates: validates)
    }

    /// Saves the object, and throws an error if that fails.
    ///
    /// - Throws: `ResourceError`, of kind `invalid` if the object is invalid.
    public nonisolated(nonsending) func saveOrThrow() async throws(ResourceError) {
        var object = self
        try await recordKind.saveOrThrow(&object)
    }

    /// Changes the object and saves it.
    ///
    /// - Returns: `false` if the object is invalid; the change remains in the object.
    /// - Throws: `ResourceError`, like `save(validates:)`.
    public nonisolated(nonsending) func update(_ change: (Self) -> Void) async throws(ResourceError) -> Bool {
        change(self)
        return try await save()
    }

    /// Reads attributes into the object and saves it.
    ///
    /// - Parameter attributes: The attributes by their names in the JSON.
    /// - Returns: `false` if the object is invalid; the attributes remain in the object.
    /// - Throws: `ResourceError`, like `save(validates:)`.
    public nonisolated(nonsending) func updateAttributes(
        _ attributes: [String: any JSONConvertible]
    ) async throws(ResourceError) -> Bool {
        var object = self
        try recordKind.assign(attributes.mapValues { $0.json }, to: &object)
        return try await recordKind.save(&object)
    }

    /// Loads the object again; attributes that the response does not contain are unchanged.
    ///
    /// - Throws: `ResourceError`; its kind is `notFound` if the service no longer has the record.
    public nonisolated(nonsending) func reload() async throws(ResourceError) {
        var object = self
        try await recordKind.reload(&object)
    }
}
