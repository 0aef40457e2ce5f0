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
        let run = try run(session, options)
        let objects = run.objects
        let memory = UnsafeMutablePointer<Model>.allocate(capacity: 1)
        defer { memory.deallocate() }
        var isMade = false
        do throws(MappingError) {
            try document(payload, run, &report) { reader, place in
                var entry = Entry(operation: .value)
                let end = objects.make(&reader, place, &entry, Memory(memory))
                isMade = end != nil && reader.isMade
                return end
            }
        } catch {
            if isMade { memory.deinitialize(count: 1) }
            throw error
        }
        guard isMade else { throw MappingError([]) }
        return memory.move()
    }

    /// Makes models of the objects of a collection.
    ///
    /// A lone object gives one model, null gives none, and null elements are left out.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - keyPath: Where in the payload the collection stands; plain keys joined by dots, the payload itself by default.
    ///     Arrays on the way are gone through.
    ///   - shape: How the elements stand there: in an array, as the members of an object, or one a line.
    ///   - session: What this payload shares with others; a session of its own by default.
    ///   - options: What is given beside the payload.
    /// - Throws: `MappingError` with every issue of the payload; one of kind `notFound` if nothing is at the key path.
    public func mapAll(
        _ payload: some JSONInput, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        in session: MappingSession? = nil, options: MappingOptions = MappingOptions()
    ) throws(MappingError) -> [Model] {
        var report = MappingReport()
        return try mapAll(payload, at: keyPath, each: shape, in: session, options: options, report: &report)
    }

    /// Makes models of the objects of a collection, and reports those that have issues.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - keyPath: Where in the payload the collection stands; the payload itself by default.
    ///   - shape: How the elements stand there: in an array, as the members of an object, or one a line.
    ///   - session: What this payload shares with others; a session of its own by default.
    ///   - options: What is given beside the payload.
    ///   - report: Says what becomes of an element with issues, and gets them.
    /// - Throws: `MappingError`: by the policy `.fail` with every issue of the payload; by any policy if the text is
    ///   broken, or nothing is at the key path.
    public func mapAll(
        _ payload: some JSONInput, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        in session: MappingSession? = nil, options: MappingOptions = MappingOptions(), report: inout MappingReport
    ) throws(MappingError) -> [Model] {
        let run = try run(session, options)
        let result = payload.withJSONBytes { bytes in
            Result { () throws(MappingError) in
                try decode(bytes, run, isText: !(payload is JSON)) { reader throws(MappingError) in
                    try elements(&reader, bytes, run.objects, at: keyPath, each: shape)
                }
            }
        }
        let (models, issues) = try result.get()
        report.issues += issues
        return models
    }

    /// Reads a payload into a model that is there: what the payload does not mention stays as it is.
    ///
    /// - Parameters:
    ///   - model: What is updated.
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - session: What this payload shares with others; a session of its own by default.
    ///   - options: What is given beside the payload.
    /// - Throws: `MappingError` with every issue of the payload; a struct is then unchanged, an object may have some of
    ///   its properties set. One of kind `mapping` if the mapping makes its models of other values.
    public func update(
        _ model: inout Model, from payload: some JSONInput, in session: MappingSession? = nil,
        options: MappingOptions = MappingOptions()
    ) throws(MappingError) {
        var report = MappingReport()
        guard storage.isFilled else { throw MappingError(MappingIssue.updateOfMade) }
        let run = try run(session, options)
        let objects = run.objects
        var copy = model
        try withUnsafeMutablePointer(to: &copy) { pointer throws(MappingError) in
            try document(payload, run, &report) { reader, place in
                var entry = Entry(operation: .value)
                return objects.update(&reader, place, &entry, Memory(pointer))
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
    /// - Throws: `MappingError` with every issue of the payload; some properties may be set then.
    public func update(
        _ object: Model, from payload: some JSONInput, in session: MappingSession? = nil,
        options: MappingOptions = MappingOptions()
    ) throws(MappingError) {
        var object = object
        try update(&object, from: payload, in: session, options: options)
    }
}

/// What one decode runs by.
private struct Run {
    let plan: Plan
    let objects: ObjectBox
    let session: MappingSession?
    let options: MappingOptions
}

extension Mapping {
    private func run(_ session: MappingSession?, _ options: MappingOptions) throws(MappingError) -> Run {
        let compiled = try storage.compiled()
        return Run(plan: compiled.plan, objects: compiled.objects, session: session, options: options)
    }

    /// Runs a decode over a payload that is one object, or an array that holds one.
    private func document(
        _ payload: some JSONInput, _ run: Run, _ report: inout MappingReport,
        _ read: (inout PlanReader, Bytes) -> Bytes?
    ) throws(MappingError) {
        let result = payload.withJSONBytes { bytes in
            Result { () throws(MappingError) in
                try decode(bytes, run, isText: !(payload is JSON)) { reader throws(MappingError) in
                    reader.document(bytes) { reader, place in reader.one(place, read) }
                }
            }
        }
        report.issues += try result.get().issues
    }

    /// Runs a decode and sorts what it found into warnings and an error.
    private func decode<Value>(
        _ bytes: UnsafeRawBufferPointer, _ run: Run, isText: Bool,
        _ read: (inout PlanReader) throws(MappingError) -> (value: Value, syntax: MappingIssue?)
    ) throws(MappingError) -> (value: Value, issues: [MappingIssue]) {
        let window = Window(bytes)
        var reader = PlanReader(
            plan: run.plan, window: window, maximumDepth: run.options.limits.depth, metadata: run.options.metadata)
        defer { reader.free() }
        let (value, syntax) = try read(&reader)
        if syntax == nil, reader.findings.isEmpty { return (value, []) }
        let found = run.plan.issues(reader.findings, in: bytes) + (syntax.map { [$0] } ?? [])
        let issues = isText ? found : found.map(\.withoutPlace)
        guard issues.allSatisfy(\.isWarning) else { throw MappingError(issues) }
        return (value, issues)
    }

    private func elements(
        _ reader: inout PlanReader, _ bytes: UnsafeRawBufferPointer, _ objects: ObjectBox, at keyPath: JSONKeyPath,
        each shape: ElementShape
    ) throws(MappingError) -> (value: [Model], syntax: MappingIssue?) {
        var cursor = try ElementCursor(window: reader.window, path: keyPath, shape: shape, acceptsNull: true)
        let type = ElementType(Model.self)
        // Some models at a time grow in the list space; then they move on, while they are still in the processor's cache.
        var models: [Model] = []
        var batch = ElementMemory(type, in: reader.lists)
        let batchSize = max(1, min(64, ListSpace.size / 2 / type.stride))
        var entry = Entry(operation: .value)
        // Under keys that are data there are any number of models in an element.
        let keyed = objects.levels.count > 0 ? ListBox(type, objects) : nil
        // The cursor has the reader forget what it found in an element before it goes on to the next one.
        var findings: [Finding] = []
        defer { reader.findings = findings }
        do {
            while let place = try cursor.next(&reader) {
                if batch.count == batchSize {
                    if models.isEmpty {
                        models.reserveCapacity(
                            type.likelyCount(after: batch.count, in: reader.offset(place), of: bytes.count))
                    }
                    models.append(moving: batch.start, batch.count)
                    batch.removeAll()
                }
                reader.context?.beginElement(of: cursor)
                let end: Bytes?
                if let keyed {
                    end = append(&reader, place, keyed, to: &models)
                } else {
                    let memory = batch.slot(type, &reader.lists)
                    end = objects.make(&reader, place, &entry, memory)
                    if end != nil, reader.isMade { batch.keep() }
                }
                if !reader.findings.isEmpty { findings += reader.findings }
                guard let end else {
                    batch.discard(type, &reader.lists)
                    return ([], DocumentWalker.firstIssue(in: bytes) ?? cursor.unexpected(at: place))
                }
                cursor.didRead(to: end)
            }
        } catch {
            // A text in memory is never read on, so what is thrown is an issue of the text.
            batch.discard(type, &reader.lists)
            let issue = (error as? MappingError)?.issues.first ?? cursor.unexpected(at: reader.window.start)
            return ([], issue.kind == .syntax ? DocumentWalker.firstIssue(in: bytes) ?? issue : issue)
        }
        models.append(moving: batch.start, batch.count)
        batch.free(&reader.lists)
        return (models, nil)
    }

    private func append(
        _ reader: inout PlanReader, _ place: Bytes, _ list: ListBox, to models: inout [Model]
    ) -> Bytes? {
        var entry = Entry(operation: .value)
        return withUnsafeTemporaryAllocation(of: [Model].self, capacity: 1) { space in
            guard let new = space.baseAddress, let end = list.make(&reader, place, &entry, Memory(new)) else {
                return nil
            }
            models += new.move()
            return end
        }
    }
}

extension PlanReader {
    /// Reads a text that holds one value; the issue of what is broken in it.
    fileprivate mutating func document(
        _ bytes: UnsafeRawBufferPointer, _ read: (inout PlanReader, Bytes) -> Bytes?
    ) -> (value: Void, syntax: MappingIssue?) {
        if let end = read(&self, token(window.start)), window.isAtEnd(token(end)) { return ((), nil) }
        let broken = DocumentWalker.firstIssue(in: bytes, maximumDepth: maximumDepth)
        return (
            (),
            broken
                ?? MappingIssue(
                    kind: .syntax, path: "$", position: TextPosition(), expected: "a JSON value",
                    found: "something else")
        )
    }

    /// Reads a value, or the only element of an array, by a closure.
    fileprivate mutating func one(_ place: Bytes, _ read: (inout PlanReader, Bytes) -> Bytes?) -> Bytes? {
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
    fileprivate static var updateOfMade: MappingIssue {
        MappingIssue(
            kind: .mapping, path: "$", expected: "a mapping that sets properties, to update with",
            found: "one that makes its models of other values; map makes a new one")
    }

    /// The same, for a value that came without its text.
    fileprivate var withoutPlace: MappingIssue {
        MappingIssue(
            kind: kind, path: path, rule: rule, expected: expected, found: found, suggestions: suggestions,
            value: value)
    }
}
