/// Reads the models of a collection one at a time, through a window: memory does not grow with the text.
///
/// An element is read only once it is in memory whole and known to be sound JSON, so that each makes its model once.
final class ElementReader<Model> {
    private let run: DecodeRun
    @exclusivity(unchecked) private var session: SessionDecode?
    /// Whether what elements register is forgotten behind each of them: memory would grow with the text.
    private let forgetsElements: Bool
    // Exclusivity unchecked: a reader belongs to one iteration and no access outlasts a call; the checks cost every element.
    @exclusivity(unchecked) private var cursor: ElementCursor
    @exclusivity(unchecked) private var reader: PlanReader
    private let memory: UnsafeMutablePointer<Model>
    /// Where keys are data an element may hold any number of models: those that are still to be taken, the last one first.
    private var several: [Model] = []
    // Asking a generic array costs as much as reading a small element.
    @exclusivity(unchecked) private var hasSeveral = false
    private let list: ListBox?
    /// The start of an element that is not yet known to be whole.
    @exclusivity(unchecked) private var candidate: Bytes?
    /// Whether bytes that came make another try worthwhile.
    @exclusivity(unchecked) private var patience = RescanThrottle()

    /// - Parameters:
    ///   - window: The text; its first bytes must be there.
    ///   - isShared: Whether the run's session was given by the caller.
    init(
        _ run: DecodeRun, window: Window, at keyPath: JSONKeyPath, each shape: ElementShape, isShared: Bool
    ) throws(MappingError) {
        self.run = run
        session = run.session
        forgetsElements = session != nil && !isShared
        cursor = try ElementCursor(
            window: window, path: keyPath, shape: shape, acceptsNull: true, maximumDepth: run.options.limits.depth)
        reader = run.reader(window)
        memory = .allocate(capacity: 1)
        list = run.objects.levels.count > 0 ? ListBox(ElementType(Model.self), run.objects) : nil
    }

    deinit {
        reader.free()
        memory.deallocate()
    }

    /// The next element, or why there is none.
    ///
    /// - Throws: `MappingError` for broken JSON, and for a path that leads nowhere; what the source throws.
    func step() throws -> ElementStep {
        if hasSeveral { return .made }
        while true {
            do {
                guard let start = try candidate ?? cursor.next(&reader) else { return .end }
                candidate = start
                guard let end = try end(of: start) else { continue }
                candidate = nil
                if let step = read(cursor.place, end) { return step }
            } catch WindowFailure.starved {
                candidate = candidate.map { _ in cursor.place }
                patience.wait(for: kept, isElement: candidate != nil, isLine: cursor.shape == .line)
                return .starved
            } catch let error as MappingError where cursor.shape == .line && candidate != nil {
                candidate = nil
                return .rejected(rejected(Data(cursor.skipLine()), error.issues))
            }
        }
    }

    /// The model that the last step made; to be taken once.
    func take() -> Model {
        guard hasSeveral, let model = several.popLast() else { return memory.move() }
        hasSeveral = !several.isEmpty
        return model
    }

    /// Takes in more of a text that is given bit by bit.
    ///
    /// - Returns: How many of the bytes there was room for, and whether a step may come to something now.
    func append(_ bytes: UnsafeRawBufferPointer) throws(MappingError) -> (count: Int, isWorthATry: Bool) {
        let count = try cursor.append(bytes)
        candidate = candidate.map { _ in cursor.place }
        return (count, patience.isOver(kept))
    }

    /// Says that nothing follows.
    func finish() { cursor.window.finish() }

    /// What must stay in memory.
    private var kept: UnsafeRawBufferPointer { cursor.window.bytes(from: cursor.place, to: cursor.window.end) }

    /// Makes sure that an element is in memory whole, and sound; where it ends.
    private func end(of start: Bytes) throws -> Bytes? {
        var start = start
        let window = cursor.window
        while true {
            let end = reader.skip(start)
            if let issue = cursor.issueOfLine(readTo: end) { throw MappingError(issue) }
            // A number at the end of the window may go on; every other value says itself where it ends.
            let saysItsEnd = !(start.pointee == UInt8(ascii: "-") || start.pointee.isASCIIDigit)
            if let end, window.isComplete || saysItsEnd || !window.isAtEnd(end) {
                reader.reset(depth: cursor.depth)
                return end
            }
            if end == nil, let issue = cursor.definiteIssue(at: start) { throw MappingError(issue) }
            guard !window.isComplete else { throw MappingError(cursor.unexpected(at: start)) }
            reader.reset(depth: cursor.depth)
            start = try cursor.slide(keeping: start)
        }
    }

    /// Makes a model of an element, or some; nil for one that the mapping leaves out.
    private func read(_ start: Bytes, _ end: Bytes) -> ElementStep? {
        let limit = run.options.limits.elementByteCount
        guard end - start <= limit else { return tooLong(start, end, limit) }
        reader.context?.beginElement(of: cursor)
        if forgetsElements {
            session = SessionDecode(MappingSession())
            reader.session = session
        }
        let isMade = make(start)
        defer { cursor.didRead(to: end) }
        if reader.findings.isEmpty {
            session?.commit()
            return isMade ? .made : nil
        }
        let raw = cursor.window.bytes(from: start, to: end)
        let issues = run.plan.issues(
            reader.findings, in: raw, at: cursor.position(of: start), under: cursor.steps,
            limit: run.options.limits.issueCount)
        guard reader.findings.hasErrors else {
            session?.commit()
            for warning in issues { run.options.log?(.issue(warning)) }
            return isMade ? .made : nil
        }
        if isMade, list == nil { memory.deinitialize(count: 1) }
        hasSeveral = false
        session?.rollback()
        return .rejected(rejected(Data(raw), issues))
    }

    /// Whether there is a model to be taken.
    private func make(_ start: Bytes) -> Bool {
        guard let list else {
            var entry = Entry(operation: .value)
            return run.objects.make(&reader, start, &entry, Memory(memory)) != nil && reader.isMade
        }
        guard reader.list(start, list, &several) != nil else { return false }
        several.reverse()
        hasSeveral = !several.isEmpty
        return hasSeveral
    }

    private func tooLong(_ start: Bytes, _ end: Bytes, _ limit: Int) -> ElementStep {
        defer { cursor.didRead(to: end) }
        let issue = MappingIssue(
            kind: .limit, path: cursor.steps.text, position: cursor.position(of: start),
            expected: "an element of at most \(limit) bytes", found: "one of \(end - start)")
        return .rejected(rejected(Data(cursor.window.bytes(from: start, to: end)), [issue]))
    }

    private func rejected(_ json: Data, _ issues: [MappingIssue]) -> RejectedElement {
        RejectedElement(index: cursor.index, path: cursor.steps.text, json: json, issues: issues)
    }
}
