extension Mapping {
    /// Maps a payload to a model.
    ///
    /// The payload is an object, or an array with one object.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - session: The session that this payload shares with others. Defaults to a separate one.
    ///   - options: Metadata, limits and the log.
    /// - Throws: `MappingError` with all issues of the payload, or of the mapping.
    public func map(
        _ payload: some JSONInput, in session: MappingSession? = nil, options: MappingOptions = MappingOptions()
    ) throws(MappingError) -> Model {
        var report = MappingReport()
        return try map(payload, in: session, options: options, report: &report)
    }

    /// Maps a payload to a model, and reports its warnings.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - session: The session that this payload shares with others. Defaults to a separate one.
    ///   - options: Metadata, limits and the log.
    ///   - report: Sets the policy for issues, and receives them.
    /// - Throws: `MappingError` with all issues of the payload, or of the mapping.
    public func map(
        _ payload: some JSONInput, in session: MappingSession? = nil, options: MappingOptions = MappingOptions(),
        report: inout MappingReport
    ) throws(MappingError) -> Model {
        try map(payload, dataSource: session, options: options, report: &report)
    }

    /// Maps a payload to a model of a data source; see `map(_:in:options:report:)` for the other parameters.
    package func map(
        _ payload: some JSONInput, dataSource: (any MappingDataSource)?, options: MappingOptions = MappingOptions(),
        report: inout MappingReport
    ) throws(MappingError) -> Model {
        let run = try run(dataSource, options)
        var model: Model?
        try run.decode(payload, &report) { reader, bytes in
            model = nil
            let memory = Ref<Model>.allocate(capacity: 1)
            defer { memory.deallocate() }
            var failure = reader.document(bytes) { reader, place in
                let fence = reader.fence
                let result = reader.withoutReplacedValues(place) { reader, place in
                    run.objects.make(&reader, place, run.plan.wholeValue, Memory(memory))
                } discard: {
                    memory.deinitialize(count: 1)
                }
                if reader.foundNoKeys, options.requiresMappedKey {
                    reader.requireMappedKey(place, fence, run.objects, result)
                }
                if result.isMade { model = memory.move() }
                return result.end
            }
            let isEmpty = model == nil
            if isEmpty, !reader.findings.hasErrors { failure = failure ?? .declined(Model.self) }
            return DecodeRun.Outcome(count: isEmpty ? 0 : 1, failure: failure, isEmpty: isEmpty)
        }
        // Without a model there is a failure, or a finding that throws.
        guard let model else { throw MappingError(.declined(Model.self)) }
        return model
    }

    /// Maps the objects of a collection to models.
    ///
    /// A single object is mapped to one model, and null to no model; null elements are skipped.
    ///
    /// ```swift
    /// let tasks = try Task.mapping.mapAll(data, at: "tasks", parallel: true)
    /// ```
    ///
    /// With `parallel`, all cores read a large collection, and the call waits for them. Models, their order, issues and
    /// errors are the same as without it. A single thread reads what cannot be divided: payloads below 256 KiB,
    /// elements above 64 KiB, mappings of classes with an identity or connections, structs with an identity in a
    /// session, and mappings with placeholders or sources around the object (`.parent`, `.root`, `.index` …). Invalid
    /// JSON is read once more by a single thread, to return the same error.
    ///
    /// With `parallel`, the mapping's closures (conversions, validations, `Match(where:)` and initializers) and the
    /// initializers and deinitializers of classes run concurrently on other threads, without task-local values. They
    /// are `@Sendable`, and can run more than once for an element or an object in it; surplus models are discarded.
    /// Models that are not `Sendable`, such as objects of classes, are created by one thread each and transferred
    /// before the call returns.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - keyPath: The key path of the collection: plain keys joined by dots, which also lead through arrays. Defaults
    ///     to the payload itself.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line.
    ///   - session: The session that this payload shares with others. Defaults to a separate one.
    ///   - options: Metadata, limits and the log.
    ///   - parallel: Whether all cores read a large collection. Defaults to `false`.
    /// - Throws: `MappingError` with all issues of the payload; an issue has the kind `notFound` if there is no value
    ///   at the key path.
    public func mapAll(
        _ payload: some JSONInput, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        in session: MappingSession? = nil, options: MappingOptions = MappingOptions(), parallel: Bool = false
    ) throws(MappingError) -> [Model] {
        var report = MappingReport()
        return try mapAll(
            payload, at: keyPath, each: shape, in: session, options: options, parallel: parallel, report: &report)
    }

    /// Maps the objects of a collection to models, and reports elements with issues.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - keyPath: The key path of the collection. Defaults to the payload itself.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line.
    ///   - session: The session that this payload shares with others. Defaults to a separate one.
    ///   - options: Metadata, limits and the log.
    ///   - parallel: Whether all cores read a large collection. Defaults to `false`.
    ///   - report: Sets the policy for elements with issues, and receives the issues.
    /// - Throws: `MappingError`: with the policy `.fail`, all issues of the payload; with any policy, invalid JSON or a
    ///   missing value at the key path.
    public func mapAll(
        _ payload: some JSONInput, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        in session: MappingSession? = nil, options: MappingOptions = MappingOptions(), parallel: Bool = false,
        report: inout MappingReport
    ) throws(MappingError) -> [Model] {
        try mapAll(
            payload, at: keyPath, each: shape, dataSource: session, options: options,
            parallel: parallel ? ParallelReading() : nil, report: &report)
    }
}

extension Mapping {
    /// Maps a collection to models of a data source; see `mapAll(_:at:each:in:options:parallel:report:)` for the other
    /// parameters.
    ///
    /// - Parameters:
    ///   - identities: The identities in the payload; `nil` if they are collected by this call. Defaults to `nil`.
    ///   - parallel: The settings of threads; `nil` for one thread.
    package func mapAll(
        _ payload: some JSONInput, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        dataSource: (any MappingDataSource)? = nil, options: MappingOptions = MappingOptions(),
        identities: IdentityRequest? = nil, parallel: ParallelReading?, report: inout MappingReport
    ) throws(MappingError) -> [Model] {
        var run = try run(dataSource, options)
        run.identities = identities
        let policy = report.policy
        var models: [Model] = []
        try run.decode(payload, inOnePiece: shape == .line, &report) { reader, bytes throws(MappingError) in
            if let parallel,
                let outcome = run.elements(
                    &reader, bytes, at: keyPath, each: shape, policy, in: parallel, into: &models)
            {
                return outcome
            }
            return try run.elements(&reader, bytes, at: keyPath, each: shape, policy, into: &models)
        }
        return models
    }

    /// Returns the parameters of a decode with the mapping.
    ///
    /// - Parameter outer: The decode of the same data source that includes this one. Defaults to `nil`.
    func run(
        _ dataSource: (any MappingDataSource)?, _ options: MappingOptions, in outer: SourceDecode? = nil,
        isUpdate: Bool = false
    ) throws(MappingError) -> DecodeRun {
        let compiled = try storage.compiled(registering: dataSource != nil || isUpdate && storage.traits.stamp != nil)
        if dataSource?.requiresIdentity == true { try compiled.checkIdentities() }
        let source = compiled.isRegistering ? SourceDecode(dataSource ?? MappingSession(), in: outer) : nil
        return DecodeRun(
            plan: compiled.plan, objects: compiled.objects, source: source, options: options, model: Model.self,
            isUpdate: isUpdate)
    }
}

extension PlanReader {
    /// Reads a text with one value, or an array with one value, with a closure; returns the issue of invalid JSON.
    mutating func document(_ bytes: ByteView, _ read: (inout PlanReader, Bytes) -> Bytes?) -> MappingIssue? {
        let end = one(token(window.start), read)
        if let failure { return plan.issue(failure, in: bytes) }
        if let end, window.isAtEnd(token(end)) { return nil }
        return JSONTokenizer.issue(of: bytes, maximumDepth: nesting.limit)
    }

    /// Reads a value, or the only element of an array, with a closure.
    private mutating func one(_ place: Bytes, _ read: (inout PlanReader, Bytes) -> Bytes?) -> Bytes? {
        guard place.pointee == .openBracket, plan.root.pointee.valueEntry == nil else { return read(&self, place) }
        var count = 0
        let end = elements(place) { reader, place in
            count += 1
            reader.context?.beginElement(at: 0)
            return count > 1 ? reader.skip(place) : read(&reader, place)
        }
        if end != nil, count != 1 {
            note(.manyElements, at: place, -1, "one object (mapAll reads arrays)", "an array of \(count) elements")
        }
        return end
    }
}

extension MappingIssue {
    /// The issue of a payload that the mapping declines, when a model is required.
    fileprivate static func declined(_ model: Any.Type) -> MappingIssue {
        payload(.notFound, "a value that is mapped to a \(model)", "a value for which the mapping creates no model")
    }
}
