/// Reads the models of a collection one at a time, in bounded memory.
final class ElementReader {
    /// The result of a step.
    enum Step {
        /// A model, which must be taken.
        case made
        case rejected(RejectedElement)
        /// More of a text in chunks is needed.
        case needsText
        case end
    }

    private let run: DecodeRun
    // Exclusivity unchecked: a reader belongs to one iteration and no access outlasts a call; the checks cost every
    // element.
    @safe @exclusivity(unchecked) private var loop: ElementLoop<ModelMaker>
    @safe @exclusivity(unchecked) private var reader: PlanReader

    /// - Parameters:
    ///   - window: The text; its first bytes must be in memory.
    ///   - isShared: Whether the run's data source belongs to the caller.
    init(
        _ run: DecodeRun, _ type: ElementType, window: Window, at keyPath: JSONKeyPath, each shape: ElementShape,
        isShared: Bool
    ) throws(MappingError) {
        self.run = run
        let cursor = try run.cursor(window, at: keyPath, each: shape)
        var reader = run.reader(window)
        var maker = ModelMaker(run.objects, type, reader, requiresMappedKey: run.options.requiresMappedKey)
        // Models that were not taken must outlive the plan reader.
        maker.reserve(1, &reader)
        self.reader = reader
        loop = ElementLoop(
            cursor, maker, largestElement: run.options.limits.elementByteCount,
            isolatesElements: run.source != nil && !isShared)
    }

    /// Reads the next element.
    ///
    /// - Throws: `MappingError` for invalid JSON and for an unresolved path; the errors of the source.
    func step() throws -> Step {
        if loop.maker.count > 0 { return .made }
        reader.nesting.resume()
        do {
            while try loop.find(&reader) {
                if let step = try read() { return step }
            }
            return .end
        } catch WindowFailure.needsText {
            return .needsText
        }
    }

    /// Reads the found element; returns `nil` if it produces no model.
    private func read() throws -> Step? {
        if let failure = reader.source?.begin(at: reader.offset(loop.cursor.place)) {
            throw MappingError(loop.issue(failure, &reader).map { [$0] } ?? [])
        }
        // Other decodes can use the data source between two elements; an element that is not committed is undone.
        defer { reader.source?.rollback() }
        guard try loop.read(&reader), let end = loop.end else {
            let issue = loop.issue(&reader)
            guard loop.cursor.shape == .line, reader.failure == nil else { throw MappingError(issue) }
            return .rejected(loop.cursor.rejected(Data(loop.cursor.skipLines()), [issue]))
        }
        defer { loop.advance() }
        var issues: [MappingIssue] = []
        if !reader.findings.isEmpty {
            issues = loop.cursor.issues(of: reader.findings, to: end, run.plan, limit: run.options.limits.issueCount)
        }
        if reader.findings.hasErrors {
            loop.discard(&reader)
            return .rejected(loop.cursor.rejected(Data(loop.cursor.text(to: end)), issues))
        }
        if let failure = reader.source?.failure ?? reader.source?.commit() {
            loop.maker.discard()
            throw MappingError(loop.issue(failure, &reader).map { [$0] } ?? [])
        }
        if !issues.isEmpty, let handler = run.options.eventHandler {
            for warning in issues { handler(.issue(warning)) }
        }
        return loop.maker.count > 0 ? .made : nil
    }

    /// Moves out a model created by the last step.
    func take<Model>(_: Model.Type) -> Model { loop.maker.take(Model.self) }

    // MARK: Texts in chunks

    /// Adds bytes to the window.
    ///
    /// - Returns: The number of bytes that fit.
    func append(_ bytes: ByteView) throws(MappingError) -> Int { try loop.cursor.append(bytes) }

    /// Ends the text.
    func finish() { loop.cursor.window.finish() }
}

/// Reads a value that continues after the window, token by token: no byte is read twice.
final class PartialValue {
    /// The offset of the value in the text.
    let offset: Int
    /// The offset of the bytes that were not read yet.
    private var readOffset: Int
    private var tokenizer: JSONTokenizer

    init(at place: Bytes, in window: Window, maximumDepth: Int, origin: TextPosition, prefix: [JSONPathStep]) {
        offset = window.offset(place)
        readOffset = offset
        tokenizer = JSONTokenizer(maximumDepth: maximumDepth, origin: origin, prefix: prefix)
    }

    /// Reads the value as far as it is in the window; returns its end, or `nil` if it is not in the window.
    ///
    /// - Throws: `MappingError` for the first error in the value.
    func end(in window: Window) throws(MappingError) -> Bytes? {
        let start = window.position.offset
        tokenizer.append(window.bytes.dropFirst(readOffset - start))
        readOffset = start + window.bytes.count
        if window.isComplete { tokenizer.finish() }
        switch tokenizer.run() {
        case .end(let end): return window.start + (offset + end - start)
        case .failure: throw MappingError(tokenizer.issue.map { [$0] } ?? [])
        default: return nil
        }
    }
}
