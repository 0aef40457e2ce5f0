/// What one decode runs by.
struct DecodeRun {
    let plan: Plan
    let objects: ObjectBox
    let session: SessionDecode?
    let options: MappingOptions
    /// The type that is made, for messages.
    let model: Any.Type
    /// Whether it reads into a model that was there before.
    var isUpdate = false

    /// What becomes of a payload; the models are handed over only if it is not thrown away.
    struct Outcome<Value> {
        var value: Value
        /// How many models `value` holds.
        var count: Int
        /// Why the rest could not be read: the text is broken, or beyond a limit.
        var failure: MappingIssue?
        /// Whether the findings throw, whatever the policy: nothing was made.
        var isEmpty = false
        /// Issues of elements that were left out, and of those kept all the same.
        var issues: [MappingIssue] = []
        var rejected: [RejectedElement] = []
    }

    func reader(_ window: Window) -> PlanReader {
        var reader = PlanReader(plan: plan, window: window, limits: options.limits, metadata: options.metadata)
        reader.session = session
        return reader
    }

    /// Whether nothing is left of a decode but the models that it makes, so that it may be begun anew.
    var mayReadAgain: Bool { session == nil && !isUpdate }

    /// Runs a decode over a payload, tells the log of it, and sorts what it found into a report and an error.
    ///
    /// - Parameter read: Reads the payload; its findings that are left in the reader are those that the policy judges.
    func decode<Value>(
        _ payload: some JSONInput, inOnePiece: Bool = false, _ report: inout MappingReport,
        _ read: (inout PlanReader, UnsafeRawBufferPointer) throws(MappingError) -> Outcome<Value>
    ) throws(MappingError) -> Value {
        let log = DecodeLog(model, options.log)
        let isText = !(payload is JSON)
        let policy = report.policy
        let result = payload.withJSONBytes { bytes in
            Result { () throws(MappingError) in
                log?.began(bytes.count)
                var outcome = try self.outcome(of: bytes, inOnePiece: inOnePiece, policy, read)
                if !isText { outcome.forgetPlaces() }
                return outcome
            }.mapError { isText ? $0 : $0.withoutPlaces }
        }
        do throws(MappingError) {
            let outcome = try result.get()
            log?.ended(outcome.count, outcome.issues, outcome.rejected)
            report.issues += outcome.issues
            report.rejected += outcome.rejected
            return outcome.value
        } catch {
            log?.failed(error)
            throw error
        }
    }

    private func outcome<Value>(
        of bytes: UnsafeRawBufferPointer, inOnePiece: Bool, _ policy: MappingReport.Policy,
        _ read: (inout PlanReader, UnsafeRawBufferPointer) throws(MappingError) -> Outcome<Value>
    ) throws(MappingError) -> Outcome<Value> {
        let limit = options.limits.byteCount
        guard bytes.count <= limit else {
            throw MappingError(.tooLong(bytes.count, limit: limit))
        }
        var reader = reader(Window(bytes, inOnePiece: inOnePiece))
        defer { reader.free() }
        // Where nothing is thrown nothing is left of it.
        defer { session?.rollback() }
        reader.takesValuesEarly = mayReadAgain
        var outcome = try read(&reader, bytes)
        if reader.sawWatchedKeyAgain, mayReadAgain {
            reader.free()
            reader = self.reader(reader.window)
            outcome = try read(&reader, bytes)
        }
        if outcome.failure == nil, reader.findings.isEmpty {
            session?.commit()
            return outcome
        }
        outcome.issues += plan.issues(reader.findings, in: bytes, limit: options.limits.issueCount)
        if let failure = outcome.failure { outcome.issues.append(failure) }
        if outcome.failure != nil || (reader.findings.hasErrors && (policy != .collect || outcome.isEmpty)) {
            throw MappingError(outcome.issues)
        }
        session?.commit()
        return outcome
    }
}

extension DecodeRun.Outcome {
    /// What came without its text has no places in one.
    fileprivate mutating func forgetPlaces() {
        issues = issues.map(\.withoutPlace)
        rejected = rejected.map {
            RejectedElement(index: $0.index, path: $0.path, json: $0.json, issues: $0.issues.map(\.withoutPlace))
        }
    }
}

extension MappingError {
    /// The same, for a payload that came without its text.
    fileprivate var withoutPlaces: MappingError { MappingError(issues.map(\.withoutPlace)) }
}

extension MappingIssue {
    /// A payload of more bytes than a limit allows.
    static func tooLong(_ byteCount: Int, limit: Int) -> MappingIssue {
        MappingIssue(
            kind: .limit, path: "$", position: TextPosition(), expected: "a payload of at most \(limit) bytes",
            found: "one of \(byteCount)")
    }

    /// The same, for a value that came without its text.
    var withoutPlace: MappingIssue {
        MappingIssue(
            kind: kind, path: path, rule: rule, expected: expected, found: found, suggestions: suggestions,
            value: value)
    }
}
