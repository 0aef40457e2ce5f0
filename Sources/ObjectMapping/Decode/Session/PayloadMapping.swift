/// How a payload is read that holds models of several types under keys of its own.
///
/// ```swift
/// let payload = PayloadMapping {
///     Root("users", User.mapping)
///     Root("tasks", Task.mapping)
///     Root("meta", Page.mapping)
/// }
///
/// let result = try payload.map(data)
/// let users = result[User.self]
/// let page = result.first(Page.self)
/// ```
///
/// All roots share one session, so a task is connected to its user whichever of them stands first.
public struct PayloadMapping: Sendable {
    let roots: [Root]
    private let paths: RootPaths

    /// A mapping of several roots, which are read in the order given.
    public init(@RootBuilder _ roots: () -> [Root]) {
        self.roots = roots()
        paths = RootPaths(self.roots)
    }

    /// Makes models of what stands at the key paths of the roots.
    ///
    /// A key path where nothing stands, or only null, is passed over.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - session: What this payload shares with others; a session of its own by default.
    ///   - options: What is given beside the payload.
    /// - Throws: `MappingError` with every issue of the payload; one of kind `notFound` if something is in the payload, but
    ///   at none of the key paths.
    public func map(
        _ payload: some JSONInput, in session: MappingSession? = nil, options: MappingOptions = MappingOptions()
    ) throws(MappingError) -> MappingResult {
        var report = MappingReport()
        return try map(payload, in: session, options: options, report: &report)
    }

    /// Makes models of what stands at the key paths of the roots, and reports those that have issues.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - session: What this payload shares with others; a session of its own by default.
    ///   - options: What is given beside the payload.
    ///   - report: Says what becomes of an element with issues, and gets them.
    /// - Throws: `MappingError`: by the policy `.fail` with every issue of the payload; by any policy if the text is
    ///   broken, or nothing is at any of the key paths.
    public func map(
        _ payload: some JSONInput, in session: MappingSession? = nil, options: MappingOptions = MappingOptions(),
        report: inout MappingReport
    ) throws(MappingError) -> MappingResult {
        try map(payload, dataSource: session ?? MappingSession(), options: options, report: &report)
    }

    /// Makes models that belong to a data source; `map(_:in:options:report:)` describes the other parameters.
    package func map(
        _ payload: some JSONInput, dataSource: any MappingDataSource, options: MappingOptions = MappingOptions(),
        report: inout MappingReport
    ) throws(MappingError) -> MappingResult {
        var newReport = report
        let result = payload.withJSONView { bytes in
            Result { () throws(MappingError) in
                // The roots succeed or fail together, and are connected after the last one.
                let decode = SourceDecode(dataSource)
                try decode.begin()
                // After an error nothing is left of it.
                defer { decode.rollback() }
                let run = PayloadRun(roots, paths, bytes, decode, options, report.policy)
                let result = try run.result(hasText: !(payload is JSON), &newReport)
                if let failure = decode.commit(), let issue = paths.plan.issue(failure, in: bytes) {
                    throw MappingError(payload is JSON ? issue.withoutPlace : issue)
                }
                return result
            }
        }
        let value = try result.get()
        report = newReport
        return value
    }

    /// Compiles the mappings, which the first use would do otherwise.
    ///
    /// - Throws: `MappingError` with every mistake in them and in those that they refer to.
    public func validate() throws(MappingError) {
        var issues: [MappingIssue] = []
        for root in roots {
            let known = issues
            do { try root.validate() } catch { issues += error.issues.filter { !known.contains($0) } }
        }
        if !issues.isEmpty { throw MappingError(issues) }
    }
}

/// The reading of one payload.
private struct PayloadRun {
    let roots: [Root]
    let bytes: ByteView
    let options: MappingOptions
    private var readings: [Result<RootReading, MappingError>]
    /// The first error in the text.
    private let failure: MappingIssue?

    init(
        _ roots: [Root], _ paths: RootPaths, _ bytes: ByteView, _ decode: SourceDecode, _ options: MappingOptions,
        _ policy: MappingReport.Policy
    ) {
        self.roots = roots
        self.bytes = bytes
        self.options = options
        let window = Window(bytes)
        func start(_ root: Root) -> Result<RootReading, MappingError> {
            Result { () throws(MappingError) in try root.reading(bytes, window, decode, options, policy) }
        }
        func search(_ readings: [RootReading?]) -> MappingIssue? {
            var search = RootSearch(paths, readings)
            return search.run(PlanReader(plan: paths.plan, window: window, limits: options.limits), in: bytes)
        }
        readings = roots.map(start)
        failure = search(readings.map { try? $0.get() })
        for index in roots.indices where (try? readings[index].get())?.mustReadAgain == true {
            readings[index] = start(roots[index])
            let reading = try? readings[index].get()
            reading?.readLate()
            _ = search(roots.indices.map { $0 == index ? reading : nil })
        }
    }

    /// The models of all roots.
    ///
    /// - Throws: `MappingError` with the issues of all roots; if the text is broken, with those of the first root.
    func result(hasText: Bool, _ report: inout MappingReport) throws(MappingError) -> MappingResult {
        var parts: [MappingResult.Part] = []
        var issues: [MappingIssue] = []
        for (root, reading) in zip(roots, readings) {
            do {
                if let models = try reading.get().models(failure, hasText: hasText, &report) {
                    parts.append(MappingResult.Part(keyPath: root.keyPath, models: models))
                }
            } catch {
                let error = hasText ? error : error.withoutPlaces
                // A broken text is broken for every root.
                if error.issues.contains(where: { $0.kind == .syntax }) { throw error }
                let known = issues
                issues += error.issues.filter { !known.contains($0) }
            }
        }
        if !issues.isEmpty { throw MappingError(issues.sorted { $0.offset < $1.offset }) }
        if parts.isEmpty { try checkEmpty() }
        return MappingResult(parts: parts)
    }

    /// Throws unless the document is empty, where nothing is at any of the key paths.
    private func checkEmpty() throws(MappingError) {
        let document = try JSON(bytes, maximumDepth: options.limits.depth)
        if document.object?.isEmpty ?? document.array?.isEmpty ?? false { return }
        let keys = document.object?.map(\.key) ?? []
        let searched = roots.map(\.keyPath.description)
        throw MappingError(
            MappingIssue(
                kind: .notFound, path: "$", position: TextPosition(),
                expected: "a value at one of the key paths \(searched.joined(separator: ", "))",
                found: keys.isEmpty ? "no keys" : "the keys \(keys.prefix(12).joined(separator: ", "))",
                suggestions: searched.flatMap {
                    nearestNames(to: $0, among: keys.filter { !searched.contains($0) })
                }))
    }
}
