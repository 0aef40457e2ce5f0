extension Mapping {
    /// Reads a payload into a model that is there: what the payload does not mention stays as it is.
    ///
    /// - Parameters:
    ///   - model: What is updated.
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - session: What this payload shares with others; a session of its own by default.
    ///   - options: What is given beside the payload.
    /// - Throws: `MappingError` with every issue of the payload; a struct is then unchanged, an object may have some of
    ///   its properties set. One of kind `mapping` if the mapping makes its models of other values; one of kind
    ///   `invalidValue` if the payload gives an object of the session the identity of another one.
    public func update(
        _ model: inout Model, from payload: some JSONInput, in session: MappingSession? = nil,
        options: MappingOptions = MappingOptions()
    ) throws(MappingError) {
        var report = MappingReport()
        try update(&model, from: payload, in: session, options: options, report: &report)
    }

    /// Reads a payload into a model that is there, and reports what is odd about it without being wrong.
    ///
    /// - Parameters:
    ///   - model: What is updated.
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - session: What this payload shares with others; a session of its own by default.
    ///   - options: What is given beside the payload.
    ///   - report: Says what becomes of issues, and gets them.
    /// - Throws: `MappingError` with every issue of the payload; a struct is then unchanged, an object may have some of
    ///   its properties set. One of kind `mapping` if the mapping makes its models of other values; one of kind
    ///   `invalidValue` if the payload gives an object of the session the identity of another one.
    public func update(
        _ model: inout Model, from payload: some JSONInput, in session: MappingSession? = nil,
        options: MappingOptions = MappingOptions(), report: inout MappingReport
    ) throws(MappingError) {
        try update(&model, from: payload, dataSource: session, options: options, report: &report)
    }

    /// Reads a payload into a model that belongs to a data source; `update(_:from:in:options:report:)` describes the
    /// other parameters.
    ///
    /// - Parameter isPatch: Whether the payload is a merge patch, which replaces collections. Defaults to `false`.
    package func update(
        _ model: inout Model, from payload: some JSONInput, dataSource: (any MappingDataSource)?,
        options: MappingOptions = MappingOptions(), isPatch: Bool = false, report: inout MappingReport
    ) throws(MappingError) {
        let patch: JSON? = isPatch ? [:] : nil
        try update(&model, from: payload, dataSource: dataSource, options: options, patch: patch, report: &report)
    }

    /// - Parameter patch: The merge patch that the payload was made of; nil for another payload.
    func update(
        _ model: inout Model, from payload: some JSONInput, dataSource: (any MappingDataSource)?,
        options: MappingOptions, patch: JSON?, report: inout MappingReport
    ) throws(MappingError) {
        guard storage.isFilled else {
            throw MappingError(
                .mapping(
                    "a mapping that sets properties, to update with",
                    "one that makes its models of other values; map makes a new one"))
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
                    return reader.updating(memory, patch: patch) {
                        objects.update(&$0, place, run.plan.wholeValue, memory)
                    }
                }
                return DecodeRun.Outcome(value: (), count: 1, failure: failure, isEmpty: isEmpty)
            }
        }
        model = copy
    }
}

extension Mapping where Model: AnyObject {
    /// Reads a payload into an object that is there: what the payload does not mention stays as it is.
    ///
    /// - Parameters:
    ///   - object: What is updated.
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - session: What this payload shares with others; a session of its own by default.
    ///   - options: What is given beside the payload.
    /// - Throws: `MappingError` with every issue of the payload; some properties may be set then. One of kind
    ///   `invalidValue` if the payload gives an object of the session the identity of another one.
    public func update(
        _ object: Model, from payload: some JSONInput, in session: MappingSession? = nil,
        options: MappingOptions = MappingOptions()
    ) throws(MappingError) {
        var object = object
        try update(&object, from: payload, in: session, options: options)
    }

    /// Reads a payload into an object that is there, and reports what is odd about it without being wrong.
    ///
    /// - Parameters:
    ///   - object: What is updated.
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - session: What this payload shares with others; a session of its own by default.
    ///   - options: What is given beside the payload.
    ///   - report: Says what becomes of issues, and gets them.
    /// - Throws: `MappingError` with every issue of the payload; some properties may be set then. One of kind
    ///   `invalidValue` if the payload gives an object of the session the identity of another one.
    public func update(
        _ object: Model, from payload: some JSONInput, in session: MappingSession? = nil,
        options: MappingOptions = MappingOptions(), report: inout MappingReport
    ) throws(MappingError) {
        var object = object
        try update(&object, from: payload, in: session, options: options, report: &report)
    }
}
