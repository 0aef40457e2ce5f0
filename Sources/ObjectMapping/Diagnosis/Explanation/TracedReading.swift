/// Reads the elements of a payload by a traced plan.
struct TracedReading<Value> {
    private(set) var values: [Value] = []
    /// Whether there are elements that were not read.
    private(set) var hasMore = false
    private(set) var issues: [MappingIssue]
    /// What is wrong with elements beside their objects.
    private(set) var others: [MappingIssue] = []
    /// Connections that found no target among the elements that were read.
    private(set) var unresolved: [MappingExplanation.Unresolved] = []
    private let context: Context?

    private struct Context {
        let run: DecodeRun
        let bytes: UnsafeRawBufferPointer
        let isText: Bool
        let objectLimit: Int?
    }

    /// Of a mapping that has mistakes.
    init(issues: [MappingIssue]) {
        self.issues = issues
        context = nil
    }

    init(run: DecodeRun, bytes: UnsafeRawBufferPointer, isText: Bool, objectLimit: Int?) {
        issues = []
        context = Context(run: run, bytes: bytes, isText: isText, objectLimit: objectLimit)
    }

    /// Reads the elements; what is made of them is dropped.
    mutating func read<Model>(
        _: Model.Type, at keyPath: JSONKeyPath, each shape: ElementShape, _ body: (ExplanationMaker) -> [Value]
    ) {
        guard let context else { return }
        let run = context.run
        var reader = run.reader(Window(context.bytes, inOnePiece: shape == .line))
        defer { reader.free() }
        let memory = UnsafeMutablePointer<Model>.allocate(capacity: 1)
        defer { memory.deallocate() }
        // Under keys that are data there are any number of models in an element.
        let keyed = run.objects.levels.count > 0 ? ListBox(ElementType(Model.self), run.objects) : nil
        /// Reads one value, which becomes a model or not.
        func make(_ reader: inout PlanReader, _ place: Bytes) -> Bytes? {
            let trace = Trace(objectLimit: context.objectLimit ?? .max)
            reader.trace = trace
            if let keyed {
                var models: [Model] = []
                return reader.list(place, keyed, &models)
            }
            var entry = Entry(operation: .value)
            let end = run.objects.make(&reader, place, &entry, Memory(memory))
            if end != nil, reader.isMade { memory.deinitialize(count: 1) }
            return end
        }
        // An array that the rules read as a whole is one value, as for `map`.
        if keyPath.components.isEmpty, shape == .element, run.objects.node.pointee.whole != nil {
            let failure = reader.document(context.bytes) { reader, place in make(&reader, place) }
            add(&reader, context.bytes, at: TextPosition(), under: [], body)
            if let failure { issues.append(failure) }
        } else {
            do {
                try elements(&reader, at: keyPath, each: shape, make, body)
            } catch {
                issues += (error as? MappingError)?.issues ?? []
            }
        }
        if !context.isText { issues = issues.map(\.withoutPlace) }
    }

    private mutating func elements(
        _ reader: inout PlanReader, at keyPath: JSONKeyPath, each shape: ElementShape,
        _ make: (inout PlanReader, Bytes) -> Bytes?, _ body: (ExplanationMaker) -> [Value]
    ) throws {
        guard let context else { return }
        var cursor = try ElementCursor(
            window: reader.window, path: keyPath, shape: shape, acceptsNull: true, maximumDepth: reader.maximumDepth)
        while let place = try cursor.next(&reader) {
            if let limit = context.objectLimit, cursor.index >= limit {
                hasMore = true
                return
            }
            reader.context?.beginElement(of: cursor)
            let end = make(&reader, place)
            let text = cursor.window.bytes(from: place, to: end ?? cursor.window.end)
            add(&reader, text, at: cursor.position(of: place), under: cursor.steps, body)
            guard let end else {
                issues.append(cursor.firstIssue(in: context.bytes) ?? cursor.unexpected(at: place))
                return
            }
            if let issue = cursor.issueOfLine(readTo: end) { throw MappingError(issue) }
            cursor.didRead(to: end)
        }
    }

    /// Takes what still waits for a target, told once for each connection.
    mutating func add(_ waiting: [UnresolvedConnection]) {
        for connection in waiting {
            let key = connection.key.map { "\($0.base)" }.joined(separator: ", ")
            if let index = unresolved.firstIndex(where: { $0.connection == connection.description }) {
                unresolved[index].add(key)
            } else {
                unresolved.append(MappingExplanation.Unresolved(connection: connection.description, key: key))
            }
        }
    }

    /// Takes what the trace tells of the element that was read.
    private mutating func add(
        _ reader: inout PlanReader, _ text: UnsafeRawBufferPointer, at origin: TextPosition,
        under prefix: [JSONPathStep], _ body: (ExplanationMaker) -> [Value]
    ) {
        guard let context, let trace = reader.trace else { return }
        trace.finish(reader)
        let maker = ExplanationMaker(
            context.run.plan, trace, text, at: origin, under: prefix, isText: context.isText)
        values += body(maker)
        others += maker.issues
    }
}
