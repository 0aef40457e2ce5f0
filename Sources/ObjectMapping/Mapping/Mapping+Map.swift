extension Mapping {
    /// Makes a model of a payload that is one object, or an array that holds one.
    ///
    /// - Parameter payload: `Data`, `[UInt8]`, `String` or `JSON`.
    /// - Throws: `MappingError` with every issue of the payload, or of the mapping.
    public func map(_ payload: some JSONInput) throws(MappingError) -> Model {
        var warnings: [MappingIssue] = []
        return try map(payload, warnings: &warnings)
    }

    /// Makes a model of a payload, and says what is odd about it without being wrong: mapped keys that stand twice.
    public func map(_ payload: some JSONInput, warnings: inout [MappingIssue]) throws(MappingError) -> Model {
        let memory = UnsafeMutablePointer<Model>.allocate(capacity: 1)
        defer { memory.deallocate() }
        storage.model.make(Memory(memory))
        do throws(MappingError) {
            try read(payload, into: memory, &warnings)
        } catch {
            memory.deinitialize(count: 1)
            throw error
        }
        return memory.move()
    }

    /// Makes models of the objects of an array.
    ///
    /// A lone object gives one model, null gives none, and null elements are left out.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - keyPath: Where in the payload the array stands; plain keys joined by dots, the payload itself by default.
    ///     Arrays on the way are gone through.
    /// - Throws: `MappingError` with every issue of the payload; one of kind `notFound` if nothing is at the key path.
    public func mapAll(_ payload: some JSONInput, at keyPath: JSONKeyPath = "") throws(MappingError) -> [Model] {
        var warnings: [MappingIssue] = []
        return try mapAll(payload, at: keyPath, warnings: &warnings)
    }

    /// Makes models of the objects of an array, and says what is odd about them without being wrong.
    public func mapAll(
        _ payload: some JSONInput, at keyPath: JSONKeyPath = "", warnings: inout [MappingIssue]
    ) throws(MappingError) -> [Model] {
        let plan = try storage.plan()
        let result = payload.withJSONBytes { bytes in
            Result { () throws(MappingError) in
                try decode(bytes, plan, isText: !(payload is JSON)) { reader throws(MappingError) in
                    try elements(&reader, bytes, at: keyPath)
                }
            }
        }
        let (models, issues) = try result.get()
        warnings += issues
        return models
    }

    /// Reads a payload into a model that is there: what the payload does not mention stays as it is.
    ///
    /// - Throws: `MappingError` with every issue of the payload; a struct is then unchanged, an object may have some of
    ///   its properties set.
    public func update(_ model: inout Model, from payload: some JSONInput) throws(MappingError) {
        var warnings: [MappingIssue] = []
        var copy = model
        try withUnsafeMutablePointer(to: &copy) { pointer throws(MappingError) in
            try read(payload, into: pointer, &warnings)
        }
        model = copy
    }
}

extension Mapping where Model: AnyObject {
    /// Reads a payload into an object that is there: what the payload does not mention stays as it is.
    ///
    /// - Throws: `MappingError` with every issue of the payload; some properties may be set then.
    public func update(_ object: Model, from payload: some JSONInput) throws(MappingError) {
        var object = object
        try update(&object, from: payload)
    }
}

extension Mapping {
    private func read(
        _ payload: some JSONInput, into model: UnsafeMutablePointer<Model>, _ warnings: inout [MappingIssue]
    ) throws(MappingError) {
        let plan = try storage.plan()
        let result = payload.withJSONBytes { bytes in
            Result { () throws(MappingError) in
                try decode(bytes, plan, isText: !(payload is JSON)) { reader throws(MappingError) in
                    reader.document(bytes) { reader, place in reader.one(place, Memory(model)) }
                }
            }
        }
        warnings += try result.get().issues
    }

    /// Runs a decode and sorts what it found into warnings and an error.
    private func decode<Value>(
        _ bytes: UnsafeRawBufferPointer, _ plan: Plan, isText: Bool,
        _ run: (inout PlanReader) throws(MappingError) -> (value: Value, syntax: MappingIssue?)
    ) throws(MappingError) -> (value: Value, issues: [MappingIssue]) {
        let window = Window(bytes)
        var reader = PlanReader(plan: plan, window: window)
        defer { reader.free() }
        let (value, syntax) = try run(&reader)
        if syntax == nil, reader.findings.isEmpty { return (value, []) }
        let found = plan.issues(reader.findings, in: bytes) + (syntax.map { [$0] } ?? [])
        let issues = isText ? found : found.map(\.withoutPlace)
        guard issues.allSatisfy(\.isWarning) else { throw MappingError(issues) }
        return (value, issues)
    }

    private func elements(
        _ reader: inout PlanReader, _ bytes: UnsafeRawBufferPointer, at keyPath: JSONKeyPath
    ) throws(MappingError) -> (value: [Model], syntax: MappingIssue?) {
        var cursor = try ElementCursor(window: reader.window, path: keyPath, shape: .element, acceptsNull: true)
        let type = ElementType(Model.self)
        var models = ElementMemory(type, in: reader.lists)
        let node = reader.plan.root
        // The cursor has the reader forget what it found in an element before it goes on to the next one.
        var findings: [Finding] = []
        defer { reader.findings = findings }
        do {
            while let place = try cursor.next(&reader) {
                let memory = models.slot(type, &reader.lists)
                var end: Bytes?
                if place.pointee == .openBrace || node.pointee.whole != nil {
                    storage.model.make(memory)
                    models.keep()
                    end = reader.object(place, node, memory)
                } else {
                    end = reader.mismatch(place, -1, "an object")
                }
                if !reader.findings.isEmpty { findings += reader.findings }
                guard let end else {
                    models.discard(type, &reader.lists)
                    return ([], DocumentWalker.firstIssue(in: bytes) ?? cursor.unexpected(at: place))
                }
                cursor.didRead(to: end)
            }
        } catch {
            // A text in memory is never read on, so what is thrown is an issue of the text.
            models.discard(type, &reader.lists)
            let issue = (error as? MappingError)?.issues.first ?? cursor.unexpected(at: reader.window.start)
            return ([], issue.kind == .syntax ? DocumentWalker.firstIssue(in: bytes) ?? issue : issue)
        }
        defer { models.free(&reader.lists) }
        return ([Model](moving: models.start, models.count), nil)
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

    /// Reads an object, or the only element of an array, into a model.
    fileprivate mutating func one(_ place: Bytes, _ model: Memory) -> Bytes? {
        guard place.pointee == .openBracket, plan.root.pointee.whole == nil else {
            guard place.pointee == .openBrace || plan.root.pointee.whole != nil else {
                return mismatch(place, -1, "an object")
            }
            return object(place, plan.root, model)
        }
        var count = 0
        let node = plan.root
        let end = elements(place) { reader, place in
            count += 1
            if count > 1 { return reader.skip(place) }
            return place.pointee == .openBrace
                ? reader.object(place, node, model) : reader.mismatch(place, -1, "an object")
        }
        if end != nil, count != 1 {
            note(.manyElements, at: place, -1, "one object (mapAll reads arrays)", "an array of \(count) elements")
        }
        return end
    }
}

extension MappingIssue {
    /// The same, for a value that came without its text.
    fileprivate var withoutPlace: MappingIssue {
        MappingIssue(
            kind: kind, path: path, rule: rule, expected: expected, found: found, suggestions: suggestions,
            value: value)
    }
}
