/// The parameters of one decode.
struct DecodeRun {
    let plan: Plan
    let objects: ObjectBox
    let source: SourceDecode?
    let options: MappingOptions
    /// The type of the models, for messages.
    let model: Any.Type
    /// Whether it updates an existing model.
    var isUpdate = false
    /// The identities in the payload; `nil` if they are collected by the decode.
    var identities: IdentityRequest?

    /// The result of a payload, without its models.
    struct Outcome {
        /// The number of models.
        var count: Int
        /// The reason why the rest could not be read: the text is invalid, or exceeds a limit.
        var failure: MappingIssue?
        /// Whether the findings throw with any policy, because nothing was created.
        var isEmpty = false
        /// The issues of skipped elements, and of those that were kept.
        var issues: [MappingIssue] = []
        var rejected: [RejectedElement] = []
    }

    func reader(_ window: Window) -> PlanReader {
        var reader = PlanReader(plan: plan, window: window, limits: options.limits, metadata: options.metadata)
        reader.source = source
        return reader
    }

    /// Whether a decode has no effect except for its models, so that it can be repeated.
    var mayReadAgain: Bool { source == nil && !isUpdate }

    /// Decodes a payload, reports to the log, and sorts the findings into a report and an error.
    ///
    /// - Parameter read: Reads the payload; the findings left in the reader are handled by the policy.
    func decode(
        _ payload: some JSONInput, inOnePiece: Bool = false, _ report: inout MappingReport,
        _ read: (inout PlanReader, ByteView) throws(MappingError) -> Outcome
    ) throws(MappingError) {
        let log = DecodeLog(model, options.eventHandler)
        let policy = report.policy
        try deliver(hasText: payload.hasPositions, log, to: &report) { () throws(MappingError) in
            try payload.withJSONView { bytes throws(MappingError) in
                log?.began(bytes.count)
                return try self.outcome(of: bytes, inOnePiece: inOnePiece, policy, read)
            }
        }
    }

    /// Adds the result of a decode to the log and to a report, and throws its error.
    ///
    /// - Parameter hasText: Whether the payload was text; otherwise issues have no positions.
    func deliver(
        hasText: Bool, _ log: DecodeLog?, to report: inout MappingReport,
        _ result: () throws(MappingError) -> Outcome
    ) throws(MappingError) {
        var log = log
        do throws(MappingError) {
            var outcome = try result()
            if !hasText { outcome.forgetPlaces() }
            log?.found(outcome.issues)
            for element in outcome.rejected { log?.rejected(element) }
            log?.made(outcome.count)
            log?.ended()
            report.issues += outcome.issues
            report.rejected += outcome.rejected
        } catch {
            let error = hasText ? error : error.withoutPlaces
            log?.failed(error)
            throw error
        }
    }

    private func outcome(
        of bytes: ByteView, inOnePiece: Bool, _ policy: MappingReport.Policy,
        _ read: (inout PlanReader, ByteView) throws(MappingError) -> Outcome
    ) throws(MappingError) -> Outcome {
        try checkLength(bytes)
        try source?.begin()
        // An error undoes all changes.
        defer { source?.rollback() }
        var reader = reader(Window(bytes, inOnePiece: inOnePiece))
        reader.matching.takesValuesEarly = mayReadAgain
        var outcome = try read(&reader, bytes)
        if reader.matching.foundDuplicateWatchedKey, mayReadAgain {
            reader = self.reader(reader.window)
            outcome = try read(&reader, bytes)
        }
        return try accepted(outcome, reader.findings, in: bytes, policy)
    }

    /// Throws if the payload is longer than the limit.
    func checkLength(_ bytes: ByteView) throws(MappingError) {
        let limit = options.limits.byteCount
        guard bytes.count <= limit else { throw MappingError(.tooLong(bytes.count, limit: limit)) }
    }

    /// Adds the issues of the findings to an outcome, and commits the changes of the data source.
    ///
    /// - Throws: `MappingError` with the issues if the text could not be read completely, or because of the policy.
    func accepted(
        _ outcome: Outcome, _ findings: FindingList, in bytes: ByteView, _ policy: MappingReport.Policy
    ) throws(MappingError) -> Outcome {
        var outcome = outcome
        if let failure = source?.failure { outcome.failure = plan.issue(failure, in: bytes) }
        if !findings.isEmpty { outcome.issues += plan.issues(findings, in: bytes, limit: options.limits.issueCount) }
        if let failure = outcome.failure { outcome.issues.append(failure) }
        if outcome.failure != nil || (findings.hasErrors && (policy != .collect || outcome.isEmpty)) {
            throw MappingError(outcome.issues)
        }
        if let failure = source?.commit(), let issue = plan.issue(failure, in: bytes) { throw MappingError(issue) }
        return outcome
    }
}

extension DecodeRun {
    /// Returns a cursor before the elements of a payload.
    func cursor(
        _ window: Window, at keyPath: JSONKeyPath, each shape: ElementShape
    ) throws(MappingError) -> ElementCursor {
        try ElementCursor(
            window: window, path: keyPath, shape: shape, maximumDepth: options.limits.depth)
    }

    /// Reads the elements of a collection.
    func elements<Model>(
        _ reader: inout PlanReader, _ bytes: ByteView, at keyPath: JSONKeyPath,
        each shape: ElementShape, _ policy: MappingReport.Policy, into models: inout [Model]
    ) throws(MappingError) -> Outcome {
        let cursor = try cursor(reader.window, at: keyPath, each: shape)
        let maker = ModelMaker(
            objects, ElementType(Model.self), reader, requiresMappedKey: options.requiresMappedKey)
        prefetch(cursor, each: maker.list)
        var loop = ElementLoop(
            consume cursor, maker, text: bytes, largestElement: options.limits.elementByteCount)
        var report = ElementReport(plan, policy, options.limits)
        // The text can be read again.
        models = []
        // The loop removes the findings of an element before it reads the next one.
        defer { reader.findings = report.findings }
        let failure = read(&loop, &reader, &report, in: bytes) { maker, offset in
            maker.move(to: &models, read: offset, of: bytes.count)
        }
        loop.maker.move(to: &models, read: bytes.count, of: bytes.count)
        return report.outcome(models.count, failure)
    }

    /// Reads the elements of a loop; returns the issue that ended it early.
    ///
    /// - Parameter move: Moves the models out of their full memory; it receives the offset of the last element.
    @inline(__always) func read(
        _ loop: inout ElementLoop<ModelMaker>, _ reader: inout PlanReader, _ report: inout ElementReport,
        in bytes: ByteView, _ move: (inout ModelMaker, Int) -> Void
    ) -> MappingIssue? {
        do {
            while try next(&loop, &reader, &report) {
                if loop.maker.isFull { move(&loop.maker, reader.offset(loop.cursor.place)) }
            }
            return nil
        } catch {
            // Reading from memory cannot fail, so the error is an issue of the text.
            let issue = (error as? MappingError)?.issues.first ?? loop.cursor.unexpected(at: reader.window.start)
            let isBroken = issue.kind == .syntax && loop.cursor.shape != .line
            return isBroken ? loop.cursor.firstIssue(in: bytes) ?? issue : issue
        }
    }

    /// Reads the next element, and keeps or skips it according to the policy; returns false at the end.
    @inline(__always) private func next(
        _ loop: inout ElementLoop<ModelMaker>, _ reader: inout PlanReader, _ report: inout ElementReport
    ) throws -> Bool {
        guard try loop.find(&reader) else { return false }
        guard loop.cursor.index < options.limits.elementCount else {
            throw MappingError(loop.cursor.tooMany(limit: options.limits.elementCount))
        }
        if try loop.read(&reader), let end = loop.end {
            if !reader.findings.isEmpty,
                !report.accepts(&loop.cursor, to: end, reader.findings, isMade: loop.isMade)
            {
                loop.discard(&reader)
            }
            loop.advance()
        } else {
            loop.discard(&reader)
            let issue = loop.issue(&reader)
            guard loop.cursor.shape == .line, reader.failure == nil, report.rejects(line: issue, &loop.cursor)
            else {
                throw MappingError(issue)
            }
        }
        return true
    }
}

extension DecodeRun.Outcome {
    /// Removes positions, for a payload without text.
    fileprivate mutating func forgetPlaces() {
        issues = issues.map(\.withoutPlace)
        rejected = rejected.map {
            RejectedElement(index: $0.index, path: $0.path, json: $0.json, issues: $0.issues.map(\.withoutPlace))
        }
    }
}

extension MappingError {
    /// The error without positions, for a payload without text.
    var withoutPlaces: MappingError { MappingError(issues.map(\.withoutPlace)) }
}

extension MappingIssue {
    /// A payload that exceeds the length limit.
    static func tooLong(_ byteCount: Int, limit: Int) -> MappingIssue {
        payload(.limit, "a payload of at most \(limit) bytes", "a payload of \(byteCount) bytes")
    }

    /// The issue without position, for a value without text.
    var withoutPlace: MappingIssue {
        MappingIssue(
            kind: kind, path: path, rule: rule, expected: expected, found: found, suggestions: suggestions,
            value: value, isWarningOnly: isWarning)
    }
}
