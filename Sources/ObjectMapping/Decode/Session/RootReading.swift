/// A value at the key path of a root.
struct RootPlace {
    let start: Bytes
    /// The reader's fence at the value.
    let fence: Bytes
    /// The containers around it.
    let frames: [ElementCursor.Frame]
}

/// The decode of one root, which reads each collection that a search finds at its key path.
final class RootReading {
    private let run: DecodeRun
    private let bytes: ByteView
    private let policy: MappingReport.Policy
    private let move: (inout ModelMaker, inout [Any]) -> Void
    private let log: DecodeLog?
    // Exclusivity unchecked: a reading belongs to one decode and no access outlasts a call; the checks cost every element.
    @safe @exclusivity(unchecked) private var reader: PlanReader
    @safe @exclusivity(unchecked) private var loop: ElementLoop<ModelMaker>
    @safe @exclusivity(unchecked) private var report: ElementReport
    private var models: [Any] = []
    /// The issue that ended reading.
    private var failure: MappingIssue?
    /// The issue of a repeated key in the path; the collections before it are read.
    private var repetition: MappingIssue?
    private var hasBegun = false
    /// Whether the path leads to a value other than null or an array of nulls.
    var hasValue = false
    private var outcome: Result<DecodeRun.Outcome, MappingError>?

    /// - Parameters:
    ///   - bytes: The whole text.
    ///   - window: The text, shared with the search.
    ///   - type: The type of the models.
    ///   - move: Moves models out of their memory to the end of an array.
    init(
        _ run: DecodeRun, _ bytes: ByteView, _ window: Window, at keyPath: JSONKeyPath, each shape: ElementShape,
        _ policy: MappingReport.Policy, _ type: ElementType, move: @escaping (inout ModelMaker, inout [Any]) -> Void
    ) throws(MappingError) {
        log = DecodeLog(run.model, run.options.eventHandler)
        self.run = run
        self.bytes = bytes
        self.policy = policy
        self.move = move
        var reader = run.reader(shape == .line ? Window(bytes, inOnePiece: true) : window)
        reader.matching.takesValuesEarly = run.mayReadAgain
        let cursor: ElementCursor
        do throws(MappingError) {
            try run.checkLength(bytes)
            cursor = try run.cursor(reader.window, at: keyPath, each: shape)
        } catch {
            log?.began(bytes.count)
            log?.failed(error)
            throw error
        }
        var maker = ModelMaker(run.objects, type, reader, requiresMappedKey: run.options.requiresMappedKey)
        // Models that were not taken must outlive the plan reader.
        maker.reserve(1, &reader)
        loop = ElementLoop(cursor, maker, text: bytes, largestElement: run.options.limits.elementByteCount)
        self.reader = reader
        report = ElementReport(run.plan, policy, run.options.limits)
    }

    /// Whether the models belong to a session, which takes part in one decode at a time.
    var isRegistering: Bool { run.source != nil }

    /// Whether an early value was wrong; then the root is read again without early values.
    var mustReadAgain: Bool { run.mayReadAgain && reader.matching.foundDuplicateWatchedKey }

    /// Reads values only after everything before them is known.
    func readLate() { reader.matching.takesValuesEarly = false }

    /// The number of elements that are null, which have no models.
    var nullCount: Int { loop.cursor.nullCount }

    // MARK: Results of the search

    /// Records a key of the path that is repeated in an object.
    func note(repeated key: String, at place: RootPlace) {
        loop.cursor.enter(place.start, in: place.frames)
        repetition = repetition ?? loop.cursor.repeated(key)
    }

    /// Whether further collections at the path are read.
    var isOpen: Bool { failure == nil && repetition == nil }

    /// Begins the decode of the data source, which takes part in one decode at a time.
    private func begin() {
        if hasBegun { return }
        hasBegun = true
        do { try run.source?.begin() } catch { failure = error.issues.first }
    }

    /// Reads a collection; returns its end and the fence there, or `nil` if it was not read completely.
    func read(_ place: RootPlace) -> (end: Bytes, fence: Bytes)? {
        begin()
        guard failure == nil else { return nil }
        if loop.cursor.shape != .line {
            reader.rewind(to: place.fence)
            loop.cursor.enter(place.start, in: place.frames)
        }
        failure = run.read(&loop, &reader, &report, in: bytes) { maker, _ in move(&maker, &models) }
        if loop.cursor.shape == .line, loop.cursor.index >= 0 { hasValue = true }
        return failure == nil ? (loop.cursor.place, reader.fence) : nil
    }

    /// Collects the identities in a collection.
    func collect(_ place: RootPlace, _ identities: IdentityCollection) {
        guard isRegistering, failure == nil else { return }
        var reader = run.reader(reader.window)
        if loop.cursor.shape != .line {
            reader.rewind(to: place.fence)
            loop.cursor.enter(place.start, in: place.frames)
        }
        run.collect(loop.cursor, each: loop.maker.list, &reader, identities)
    }

    // MARK: End

    /// Ends reading, and commits its part of the session.
    @discardableResult func end() -> Result<DecodeRun.Outcome, MappingError> {
        if let outcome { return outcome }
        begin()
        move(&loop.maker, &models)
        let issue = failure ?? repetition
        let outcome = Result { () throws(MappingError) in
            defer { run.source?.rollback() }
            return try run.accepted(
                report.outcome(models.count, issue), report.findings, in: bytes, policy)
        }
        self.outcome = outcome
        return outcome
    }

    /// Returns the models; `nil` if the path is unresolved or leads to null.
    ///
    /// - Parameter syntax: The first error in the text.
    func models(_ syntax: MappingIssue?, hasText: Bool, _ report: inout MappingReport) throws(MappingError) -> [Any]? {
        var result = end()
        let known = result.issues
        // The root can end before the text.
        if let issue = failure ?? repetition ?? (loop.cursor.shape == .line ? nil : syntax), known.last != issue {
            result = .failure(MappingError(known + [issue]))
        }
        log?.began(bytes.count)
        try run.deliver(hasText: hasText, log, to: &report) { () throws(MappingError) in try result.get() }
        return models.isEmpty && !hasValue ? nil : models
    }
}

extension Result where Success == DecodeRun.Outcome, Failure == MappingError {
    fileprivate var issues: [MappingIssue] {
        switch self {
        case .success(let outcome): outcome.issues
        case .failure(let error): error.issues
        }
    }
}
