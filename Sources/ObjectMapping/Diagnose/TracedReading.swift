/// Reads the elements of a payload with a traced plan.
struct TracedReading<Value> {
    private(set) var values: [Value] = []
    /// Whether there are further elements, which were not read.
    private(set) var hasMore = false
    private(set) var issues: [MappingIssue] = []
    /// Issues of elements that do not belong to their objects.
    private(set) var others: [MappingIssue] = []
    /// Connections without a target among the elements that were read.
    private(set) var unresolved: [MappingExplanation.Unresolved] = []
    let run: DecodeRun
    let bytes: ByteView
    let isText: Bool
    let objectLimit: Int

    /// Reads the elements, and discards the models.
    mutating func read<Model>(
        _: Model.Type, at keyPath: JSONKeyPath, each shape: ElementShape, _ body: (ExplanationMaker) -> [Value]
    ) {
        var reader = run.reader(Window(bytes, inOnePiece: shape == .line))
        let maker = ModelMaker(
            run.objects, ElementType(Model.self), reader,
            requiresMappedKey: run.options.requiresMappedKey)
        // An array that the rules read as a whole is one value, as in `map`.
        if keyPath.components.isEmpty, shape == .element, run.objects.node.pointee.valueEntry != nil {
            document(maker, &reader, body)
        } else {
            do {
                let cursor = try run.cursor(reader.window, at: keyPath, each: shape)
                try elements(ElementLoop(cursor, maker, text: bytes), &reader, body)
            } catch {
                issues += (error as? MappingError)?.issues ?? []
            }
        }
        if !isText { issues = issues.map(\.withoutPlace) }
    }

    private mutating func document(
        _ maker: consuming ModelMaker, _ reader: inout PlanReader, _ body: (ExplanationMaker) -> [Value]
    ) {
        let failure = reader.document(bytes) { reader, place in
            reader.trace = Trace(objectLimit: objectLimit)
            return maker.make(place, &reader).end
        }
        add(&reader, bytes, at: TextPosition(), under: [], body)
        if let failure { issues.append(failure) }
    }

    private mutating func elements(
        _ loop: consuming ElementLoop<ModelMaker>, _ reader: inout PlanReader, _ body: (ExplanationMaker) -> [Value]
    ) throws {
        while try loop.find(&reader) {
            hasMore = loop.cursor.index >= objectLimit
            if hasMore { return }
            reader.trace = Trace(objectLimit: objectLimit)
            let isValid = try loop.read(&reader)
            loop.maker.discard()
            let text = loop.cursor.text(to: loop.end ?? reader.window.end)
            add(&reader, text, at: loop.cursor.position(of: loop.cursor.place), under: loop.cursor.steps, body)
            guard isValid else { return issues.append(loop.issue(&reader)) }
            loop.advance()
        }
    }

    /// Adds the unresolved connections, once per connection.
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

    /// Adds the trace of the last element.
    private mutating func add(
        _ reader: inout PlanReader, _ text: ByteView, at origin: TextPosition,
        under prefix: [JSONPathStep], _ body: (ExplanationMaker) -> [Value]
    ) {
        guard let trace = reader.trace else { return }
        trace.finish(reader)
        let maker = ExplanationMaker(run.plan, trace, text, at: origin, under: prefix, isText: isText)
        values += body(maker)
        others += maker.issues
    }
}
