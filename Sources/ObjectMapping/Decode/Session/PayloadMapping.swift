/// Maps a payload with models of several types under fixed keys.
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
/// All roots share one session, so a task is connected to its user in any order.
public struct PayloadMapping: Sendable {
    let roots: [Root]
    private let paths: RootPaths

    /// Creates a mapping of several roots, which are read in order.
    public init(@RootBuilder _ roots: () -> [Root]) {
        self.roots = roots()
        paths = RootPaths(self.roots)
    }

    /// Maps the values at the key paths of the roots to models.
    ///
    /// Roots whose value is missing or null are skipped.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - session: The session that this payload shares with others. Defaults to a separate one.
    ///   - options: Metadata, limits and the log.
    /// - Throws: `MappingError` with all issues of the payload; an issue has the kind `notFound` if the payload is not
    ///   empty, but none of the key paths exists.
    public func map(
        _ payload: some JSONInput, in session: MappingSession? = nil, options: MappingOptions = MappingOptions()
    ) throws(MappingError) -> MappingResult {
        var report = MappingReport()
        return try map(payload, in: session, options: options, report: &report)
    }

    /// Maps the values at the key paths of the roots to models, and reports those with issues.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - session: The session that this payload shares with others. Defaults to a separate one.
    ///   - options: Metadata, limits and the log.
    ///   - report: Sets the policy for elements with issues, and receives the issues.
    /// - Throws: `MappingError`: with the policy `.fail`, all issues of the payload; with any policy, invalid JSON or
    ///   missing values at all key paths.
    public func map(
        _ payload: some JSONInput, in session: MappingSession? = nil, options: MappingOptions = MappingOptions(),
        report: inout MappingReport
    ) throws(MappingError) -> MappingResult {
        try map(payload, dataSource: session ?? MappingSession(), options: options, report: &report)
    }

    /// Maps a payload to models of a data source; see `map(_:in:options:report:)` for the other parameters.
    ///
    /// - Parameter identities: The identities in the payload; `nil` if they are collected by this call. Defaults to `nil`.
    package func map(
        _ payload: some JSONInput, dataSource: any MappingDataSource, options: MappingOptions = MappingOptions(),
        identities: IdentityRequest? = nil, report: inout MappingReport
    ) throws(MappingError) -> MappingResult {
        var newReport = report
        let result = try payload.withJSONView { bytes throws(MappingError) in
            // All roots succeed or fail together, and are connected after the last one.
            let decode = SourceDecode(dataSource)
            try decode.begin()
            // An error undoes all changes.
            defer { decode.rollback() }
            var run = PayloadRun(roots, paths, bytes, decode, options, report.policy)
            if dataSource.findsAhead {
                let request = identities ?? run.identities()
                decode.hasAllKeys = request.isComplete
                request.prefetch(from: dataSource)
            }
            run.read()
            let result = try run.result(hasText: payload.hasPositions, &newReport)
            if let failure = decode.commit(), let issue = paths.plan.issue(failure, in: bytes) {
                throw MappingError(payload.hasPositions ? issue : issue.withoutPlace)
            }
            return result
        }
        report = newReport
        return result
    }

    /// Returns the identities in a payload.
    package func identities(
        in payload: some JSONInput, options: MappingOptions = MappingOptions()
    ) -> IdentityRequest {
        payload.withJSONView { bytes in
            PayloadRun(roots, paths, bytes, SourceDecode(MappingSession()), options, .fail).identities()
        }
    }

    /// Compiles the mappings in advance, instead of at the first use.
    ///
    /// - Throws: `MappingError` with all errors in the mappings and in those that they refer to.
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
    private let paths: RootPaths
    private let window: Window
    private let start: (Root) -> Result<RootReading, MappingError>
    private var readings: [Result<RootReading, MappingError>]
    /// The first error in the text.
    private var failure: MappingIssue?

    init(
        _ roots: [Root], _ paths: RootPaths, _ bytes: ByteView, _ decode: SourceDecode, _ options: MappingOptions,
        _ policy: MappingReport.Policy
    ) {
        self.roots = roots
        self.bytes = bytes
        self.options = options
        self.paths = paths
        let window = Window(bytes)
        self.window = window
        start = { root in
            Result { () throws(MappingError) in try root.reading(bytes, window, decode, options, policy) }
        }
        readings = roots.map(start)
    }

    /// Collects the identities in the payload.
    func identities() -> IdentityRequest {
        let identities = IdentityCollection()
        _ = search(readings.map { try? $0.get() }, collecting: identities)
        return identities.request
    }

    private func search(_ readings: [RootReading?], collecting identities: IdentityCollection? = nil) -> MappingIssue? {
        var search = RootSearch(paths, readings, collecting: identities)
        return search.run(PlanReader(plan: paths.plan, window: window, limits: options.limits), in: bytes)
    }

    /// Reads the roots.
    mutating func read() {
        failure = search(readings.map { try? $0.get() })
        for index in roots.indices where (try? readings[index].get())?.mustReadAgain == true {
            readings[index] = start(roots[index])
            let reading = try? readings[index].get()
            reading?.readLate()
            _ = search(roots.indices.map { $0 == index ? reading : nil })
        }
    }

    /// Returns the models of all roots.
    ///
    /// - Throws: `MappingError` with the issues of all roots; for invalid JSON, with those of the first root.
    func result(hasText: Bool, _ report: inout MappingReport) throws(MappingError) -> MappingResult {
        var parts: [MappingResult.Part] = []
        var issues: [MappingIssue] = []
        for (root, reading) in zip(roots, readings) {
            do {
                let reading = try reading.get()
                if let models = try reading.models(failure, hasText: hasText, &report) {
                    parts.append(
                        MappingResult.Part(keyPath: root.keyPath, models: models, nullCount: reading.nullCount))
                }
            } catch {
                let error = hasText ? error : error.withoutPlaces
                // Invalid JSON is invalid for every root.
                if error.issues.contains(where: { $0.kind == .syntax }) { throw error }
                let known = issues
                issues += error.issues.filter { !known.contains($0) }
            }
        }
        if !issues.isEmpty { throw MappingError(issues.sorted { $0.offset < $1.offset }) }
        if parts.isEmpty { try checkEmpty() }
        return MappingResult(parts: parts)
    }

    /// Throws an error if no key path has a value, unless the document is empty or a key path leads to null.
    private func checkEmpty() throws(MappingError) {
        let document = try JSON(bytes, maximumDepth: options.limits.depth)
        if document.object?.isEmpty ?? document.array?.isEmpty ?? false { return }
        let paths = roots.compactMap { $0.shape == .line ? nil : $0.keyPath.plainKeys }
        if paths.contains(where: { keys in !keys.isEmpty && keys.reduce(document) { $0[$1] }.exists }) { return }
        guard document.object != nil || document.array != nil else {
            throw MappingError(
                MappingIssue(
                    kind: .notFound, path: "$", position: TextPosition(), expected: "an object or an array",
                    found: document.kindName))
        }
        let keys = document.object?.map(\.key) ?? []
        let searched = roots.map(\.keyPath.description).filter { !$0.isEmpty }
        throw MappingError(
            MappingIssue(
                kind: .notFound, path: "$", position: TextPosition(),
                expected: "a value at one of the key paths \(searched.joined(separator: ", "))",
                found: keys.isEmpty ? "no keys" : "the keys \(keys.prefix(12).map(printable).joined(separator: ", "))",
                suggestions: searched.flatMap {
                    nearestNames(to: $0, among: keys.filter { !searched.contains($0) })
                }))
    }
}
