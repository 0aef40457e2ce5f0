extension Mapping {
    /// Updates a model from a payload; properties that the payload does not contain are unchanged.
    ///
    /// - Parameters:
    ///   - model: The model to update.
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - session: The session that this payload shares with others. Defaults to a separate one.
    ///   - options: Metadata, limits and the log.
    /// - Throws: `MappingError` with all issues of the payload; then a struct is unchanged, and some properties of an
    ///   object may be set. An issue has the kind `mapping` if the mapping creates its models with an initializer, and
    ///   the kind `invalidValue` if the payload gives an object of the session the identity of another one.
    public func update(
        _ model: inout Model, from payload: some JSONInput, in session: MappingSession? = nil,
        options: MappingOptions = MappingOptions()
    ) throws(MappingError) {
        var report = MappingReport()
        try update(&model, from: payload, in: session, options: options, report: &report)
    }

    /// Updates a model from a payload, and reports its warnings; properties that the payload does not contain are
    /// unchanged.
    ///
    /// - Parameters:
    ///   - model: The model to update.
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - session: The session that this payload shares with others. Defaults to a separate one.
    ///   - options: Metadata, limits and the log.
    ///   - report: Sets the policy for issues, and receives them.
    /// - Throws: `MappingError` with all issues of the payload; then a struct is unchanged, and some properties of an
    ///   object may be set. An issue has the kind `mapping` if the mapping creates its models with an initializer, and
    ///   the kind `invalidValue` if the payload gives an object of the session the identity of another one.
    public func update(
        _ model: inout Model, from payload: some JSONInput, in session: MappingSession? = nil,
        options: MappingOptions = MappingOptions(), report: inout MappingReport
    ) throws(MappingError) {
        try update(&model, from: payload, dataSource: session, options: options, report: &report)
    }

    /// Updates a model of a data source; see `update(_:from:in:options:report:)` for the other parameters.
    ///
    /// - Parameter isPatch: Whether the payload is a merge patch, which replaces collections. Defaults to `false`.
    package func update(
        _ model: inout Model, from payload: some JSONInput, dataSource: (any MappingDataSource)?,
        options: MappingOptions = MappingOptions(), isPatch: Bool = false, report: inout MappingReport
    ) throws(MappingError) {
        let patch: JSON? = isPatch ? [:] : nil
        try update(&model, from: payload, dataSource: dataSource, options: options, patch: patch, report: &report)
    }

    /// Updates a model from a payload that must have a mapped key, like that of `map`, unless it is empty.
    package func update(
        _ model: inout Model, fromMapped payload: some JSONInput
    ) throws(MappingError) {
        var report = MappingReport()
        try update(
            &model, from: payload, dataSource: nil, options: MappingOptions(), patch: nil, requiresMappedKey: true,
            report: &report)
    }

    /// - Parameter patch: The merge patch from which the payload was created; `nil` for another payload.
    func update(
        _ model: inout Model, from payload: some JSONInput, dataSource: (any MappingDataSource)?,
        options: MappingOptions, patch: JSON?, requiresMappedKey: Bool = false, report: inout MappingReport
    ) throws(MappingError) {
        guard storage.isFilled else {
            throw MappingError(
                .mapping(
                    "a mapping that sets properties, for `update`",
                    "a mapping with an initializer; use `map` instead"))
        }
        let run = try run(dataSource, options, isUpdate: true)
        let objects = run.objects
        var copy = model
        try withMutableMemory(of: &copy) { memory throws(MappingError) in
            try run.decode(payload, &report) { reader, bytes in
                var isEmpty = false
                run.prefetch(reader.window) { reader, identities in
                    _ = objects.collect(identities, &reader, reader.token(reader.window.start))
                }
                let failure = reader.document(bytes) { reader, place in
                    isEmpty = !objects.accepts(place)
                    let fence = reader.fence
                    return reader.updating(memory, patch: patch) { reader in
                        let result = reader.withoutReplacedValues(place) { reader, place in
                            .replaced(objects.update(&reader, place, run.plan.wholeValue, memory))
                        } discard: {
                        }
                        if requiresMappedKey, reader.foundNoKeys {
                            reader.requireMappedKey(place, fence, objects, result)
                        }
                        return result.end
                    }
                }
                return DecodeRun.Outcome(count: 1, failure: failure, isEmpty: isEmpty)
            }
        }
        model = copy
    }
}

extension Mapping where Model: AnyObject {
    /// Updates an object from a payload; properties that the payload does not contain are unchanged.
    ///
    /// - Parameters:
    ///   - object: The object to update.
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - session: The session that this payload shares with others. Defaults to a separate one.
    ///   - options: Metadata, limits and the log.
    /// - Throws: `MappingError` with all issues of the payload; then some properties may be set. An issue has the kind
    ///   `invalidValue` if the payload gives an object of the session the identity of another one.
    public func update(
        _ object: Model, from payload: some JSONInput, in session: MappingSession? = nil,
        options: MappingOptions = MappingOptions()
    ) throws(MappingError) {
        var object = object
        try update(&object, from: payload, in: session, options: options)
    }

    /// Updates an object from a payload, and reports its warnings; properties that the payload does not contain are
    /// unchanged.
    ///
    /// - Parameters:
    ///   - object: The object to update.
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - session: The session that this payload shares with others. Defaults to a separate one.
    ///   - options: Metadata, limits and the log.
    ///   - report: Sets the policy for issues, and receives them.
    /// - Throws: `MappingError` with all issues of the payload; then some properties may be set. An issue has the kind
    ///   `invalidValue` if the payload gives an object of the session the identity of another one.
    public func update(
        _ object: Model, from payload: some JSONInput, in session: MappingSession? = nil,
        options: MappingOptions = MappingOptions(), report: inout MappingReport
    ) throws(MappingError) {
        var object = object
        try update(&object, from: payload, in: session, options: options, report: &report)
    }
}
