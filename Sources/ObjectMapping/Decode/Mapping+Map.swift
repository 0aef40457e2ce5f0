extension Mapping {
    /// Makes a model of a payload that is one object, or an array that holds one.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - session: What this payload shares with others; a session of its own by default.
    ///   - options: What is given beside the payload.
    /// - Throws: `MappingError` with every issue of the payload, or of the mapping.
    public func map(
        _ payload: some JSONInput, in session: MappingSession? = nil, options: MappingOptions = MappingOptions()
    ) throws(MappingError) -> Model {
        var report = MappingReport()
        return try map(payload, in: session, options: options, report: &report)
    }

    /// Makes a model of a payload, and reports what is odd about it without being wrong.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - session: What this payload shares with others; a session of its own by default.
    ///   - options: What is given beside the payload.
    ///   - report: Says what becomes of issues, and gets them.
    /// - Throws: `MappingError` with every issue of the payload, or of the mapping.
    public func map(
        _ payload: some JSONInput, in session: MappingSession? = nil, options: MappingOptions = MappingOptions(),
        report: inout MappingReport
    ) throws(MappingError) -> Model {
        try map(payload, dataSource: session, options: options, report: &report)
    }

    /// Makes a model that belongs to a data source; `map(_:in:options:report:)` describes the other parameters.
    package func map(
        _ payload: some JSONInput, dataSource: (any MappingDataSource)?, options: MappingOptions = MappingOptions(),
        report: inout MappingReport
    ) throws(MappingError) -> Model {
        let run = try run(dataSource, options)
        let model = try run.decode(payload, &report) { reader, bytes in
            var model: Model?
            let memory = Ref<Model>.allocate(capacity: 1)
            defer { memory.deallocate() }
            var failure = reader.document(bytes) { reader, place in
                func make(_ reader: inout PlanReader) -> MakeResult {
                    run.objects.make(&reader, place, run.plan.wholeValue, Memory(memory))
                }
                let result =
                    options.requiresMappedKey
                    ? reader.requiringMappedKey(place, run.objects, make) : make(&reader)
                if result.isMade { model = memory.move() }
                return result.end
            }
            let isEmpty = model == nil
            if isEmpty, !reader.findings.hasErrors { failure = failure ?? .declined(Model.self) }
            return DecodeRun.Outcome(value: model, count: isEmpty ? 0 : 1, failure: failure, isEmpty: isEmpty)
        }
        // Without a model there is a failure, or there are findings that throw.
        guard let model else { throw MappingError(.declined(Model.self)) }
        return model
    }

    /// Makes models of the objects of a collection.
    ///
    /// A lone object gives one model, null gives none, and null elements are left out.
    ///
    /// ```swift
    /// let tasks = try Task.mapping.mapAll(data, at: "tasks", parallel: true)
    /// ```
    ///
    /// With `parallel` a large collection is read on all cores, and the call waits for them. Models, their order, issues and
    /// errors are the same as without. One thread reads all the same what cannot be divided: payloads below 256 KiB,
    /// elements above 64 KiB, mappings with connections, identified ones in a session, and mappings with placeholders or
    /// sources around the object (`.parent`, `.root`, `.index` …). A text that is broken is read by one thread once more, for
    /// the very same error.
    ///
    /// The mapping's closures (conversions, validations, `Match(where:)`, those that make models) and the initializers and
    /// deinitializers of classes run on other threads then, several at a time, and without task-local values; that they are
    /// `@Sendable` makes it sound. They may run more than once for some elements, and for objects within elements as if
    /// those were elements themselves: such models are thrown away. Models that are not, such as objects of classes, are
    /// made by one thread each, which keeps nothing of them, and are handed over before the call returns.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - keyPath: Where in the payload the collection stands; plain keys joined by dots, the payload itself by default.
    ///     Arrays on the way are gone through.
    ///   - shape: How the elements stand there: in an array, as the members of an object, or one a line.
    ///   - session: What this payload shares with others; a session of its own by default.
    ///   - options: What is given beside the payload.
    ///   - parallel: Whether all cores read a large collection; false by default.
    /// - Throws: `MappingError` with every issue of the payload; one of kind `notFound` if nothing is at the key path.
    public func mapAll(
        _ payload: some JSONInput, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        in session: MappingSession? = nil, options: MappingOptions = MappingOptions(), parallel: Bool = false
    ) throws(MappingError) -> [Model] {
        var report = MappingReport()
        return try mapAll(
            payload, at: keyPath, each: shape, in: session, options: options, parallel: parallel, report: &report)
    }

    /// Makes models of the objects of a collection, and reports those that have issues.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - keyPath: Where in the payload the collection stands; the payload itself by default.
    ///   - shape: How the elements stand there: in an array, as the members of an object, or one a line.
    ///   - session: What this payload shares with others; a session of its own by default.
    ///   - options: What is given beside the payload.
    ///   - parallel: Whether all cores read a large collection; false by default.
    ///   - report: Says what becomes of an element with issues, and gets them.
    /// - Throws: `MappingError`: by the policy `.fail` with every issue of the payload; by any policy if the text is
    ///   broken, or nothing is at the key path.
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
    /// Makes models that belong to a data source; `mapAll(_:at:each:in:options:parallel:report:)` describes the other
    /// parameters.
    ///
    /// - Parameter parallel: The settings of threads; nil for one thread.
    package func mapAll(
        _ payload: some JSONInput, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        dataSource: (any MappingDataSource)? = nil, options: MappingOptions = MappingOptions(),
        parallel: ParallelReading?, report: inout MappingReport
    ) throws(MappingError) -> [Model] {
        let run = try run(dataSource, options)
        let policy = report.policy
        return try run.decode(payload, inOnePiece: shape == .line, &report) { reader, bytes throws(MappingError) in
            if let parallel,
                let outcome: DecodeRun.Outcome<[Model]> = run.elements(
                    &reader, bytes, at: keyPath, each: shape, policy, in: parallel)
            {
                return outcome
            }
            return try run.elements(&reader, bytes, at: keyPath, each: shape, policy)
        }
    }

    /// What a decode by the mapping runs by.
    ///
    /// - Parameter outer: The decode of the same data source that this one is a part of. Defaults to `nil`.
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
    /// Reads a text that holds one value, or an array of one, by a closure; the issue of what is broken in it.
    mutating func document(_ bytes: ByteView, _ read: (inout PlanReader, Bytes) -> Bytes?) -> MappingIssue? {
        let end = one(token(window.start), read)
        if let failure { return plan.issue(failure, in: bytes) }
        if let end, window.isAtEnd(token(end)) { return nil }
        return JSONTokenizer.issue(of: bytes, maximumDepth: nesting.limit)
    }

    /// Reads a value, or the only element of an array, by a closure.
    private mutating func one(_ place: Bytes, _ read: (inout PlanReader, Bytes) -> Bytes?) -> Bytes? {
        guard place.pointee == .openBracket, plan.root.pointee.whole == nil else { return read(&self, place) }
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
    /// Of a payload that the mapping leaves out on purpose, where a model was asked for.
    fileprivate static func declined(_ model: Any.Type) -> MappingIssue {
        payload(.notFound, "a value that makes a \(model)", "one that the mapping declines")
    }
}
