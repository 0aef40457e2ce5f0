extension Mapping {
    /// Explains what the mapping does with a payload: for each rule what it found, what became of that, and why not.
    ///
    /// ```swift
    /// print(Task.mapping.explain(data))
    /// ```
    ///
    /// The payload is mapped as `map` and `mapAll` do it, by the same code and in a session of its own, and the models are
    /// dropped. Nothing is thrown:
    /// broken JSON and mistakes of the mapping are issues of the explanation. The time is that of compiling the mapping
    /// and of reading the elements that are explained.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - keyPath: Where in the payload the collection stands, as for `mapAll`; the payload itself by default.
    ///   - shape: How the elements stand there: in an array, as the members of an object, or one a line.
    ///   - options: What is given beside the payload; its log is told nothing.
    ///   - count: How many elements are explained, of the payload and of each relationship; 10 by default. Further ones
    ///     of the payload are not read, those of relationships are counted.
    public func explain(
        _ payload: some JSONInput, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        options: MappingOptions = MappingOptions(), first count: Int = 10
    ) -> MappingExplanation {
        let reading = traced(payload, at: keyPath, each: shape, options: options, objectLimit: max(1, count)) {
            $0.elements
        }
        return MappingExplanation(
            objects: reading.values, hasMore: reading.hasMore, issues: reading.issues + reading.others,
            unresolved: reading.unresolved)
    }

    /// The keys of a payload that no rule reads, in the order of the text.
    ///
    /// Each is a path as `$.tasks[*].color`, told once for all elements of an array; of a value that nobody reads only
    /// its own key is told. The payload is mapped as `map` and `mapAll` do it, and the models are dropped.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - keyPath: Where in the payload the collection stands, as for `mapAll`; the payload itself by default.
    ///   - shape: How the elements stand there: in an array, as the members of an object, or one a line.
    ///   - options: What is given beside the payload; its log is told nothing. At most as many keys as `issueCount`
    ///     of the limits are told.
    /// - Throws: `MappingError` for broken JSON, a key path that leads nowhere and mistakes of the mapping. What else is
    ///   wrong with the payload does not matter.
    public func unreadKeys(
        of payload: some JSONInput, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        options: MappingOptions = MappingOptions()
    ) throws(MappingError) -> [String] {
        var seen: Set<String> = []
        let most = options.limits.issueCount
        let reading = traced(payload, at: keyPath, each: shape, options: options, objectLimit: nil) {
            maker -> [String] in
            guard seen.count < most else { return [] }
            return maker.unreadKeys.map(\.generalText).filter { seen.insert($0).inserted }
        }
        guard reading.issues.isEmpty else { throw MappingError(reading.issues) }
        return Array(reading.values.prefix(most))
    }

    /// Maps a payload by a plan that tells what it does, and hands each element to a closure.
    ///
    /// - Parameter objectLimit: How many objects are told of, of the payload and of each relationship; nil for all.
    private func traced<Payload: JSONInput, Value>(
        _ payload: Payload, at keyPath: JSONKeyPath, each shape: ElementShape, options: MappingOptions,
        objectLimit: Int?, _ body: (ExplanationMaker) -> [Value]
    ) -> TracedReading<Value> {
        do throws(MappingError) {
            let compiled = try storage.compiledForTracing()
            let session = compiled.isRegistering ? MappingSession() : nil
            let run = DecodeRun(
                plan: compiled.plan, objects: compiled.objects, session: session.map { SessionDecode($0) },
                options: options, model: Model.self)
            return payload.withJSONView { bytes in
                var reading = TracedReading<Value>(
                    run: run, bytes: bytes, isText: !(payload is JSON), objectLimit: objectLimit)
                reading.read(Model.self, at: keyPath, each: shape, body)
                run.session?.commit()
                reading.add(session?.unresolved ?? [])
                return reading
            }
        } catch {
            return TracedReading(issues: error.issues)
        }
    }
}
