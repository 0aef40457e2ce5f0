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
    private let roots: [Root]

    /// A mapping of several roots, which are read in the order given.
    public init(@RootBuilder _ roots: () -> [Root]) { self.roots = roots() }

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
        var run = Run(payload: payload, session: session ?? MappingSession(), options: options, report: report)
        let result = try run.session.transaction { () throws(MappingError) in
            for root in roots { try run.read(root) }
            return try run.result(of: roots)
        }
        report = run.report
        return result
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

/// One payload that is being read.
private struct Run {
    let payload: any JSONInput
    let session: MappingSession
    let options: MappingOptions
    var report: MappingReport
    private var parts: [MappingResult.Part] = []
    private var issues: [MappingIssue] = []
    /// The whole text as a tree, which only unusual payloads need.
    private var tree: JSON?

    init(payload: any JSONInput, session: MappingSession, options: MappingOptions, report: MappingReport) {
        self.payload = payload
        self.session = session
        self.options = options
        self.report = report
    }

    mutating func read(_ root: Root) throws(MappingError) {
        do {
            let models = try root.map(payload, session, options, &report)
            let isThere = models.isEmpty ? try isPresent(root.keyPath) : true
            if isThere { parts.append(MappingResult.Part(keyPath: root.keyPath, models: models)) }
        } catch {
            // A broken text is broken for every root.
            if error.issues.contains(where: { $0.kind == .syntax }) { throw error }
            let known = issues
            issues += error.issues.filter { $0.kind != .notFound && !known.contains($0) }
        }
    }

    /// What was read, unless there were issues or there is nothing at any key path.
    mutating func result(of roots: [Root]) throws(MappingError) -> MappingResult {
        if !issues.isEmpty { throw MappingError(issues.sorted { $0.offset < $1.offset }) }
        if parts.isEmpty, try !isBare() {
            let keys = try document().object?.map(\.key) ?? []
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
        return MappingResult(parts: parts)
    }

    /// Whether a value other than null, or than a collection of nulls, stands at a key path.
    private mutating func isPresent(_ keyPath: JSONKeyPath) throws(MappingError) -> Bool {
        guard let value = try? document().value(at: keyPath), !value.isNull else { return false }
        return value.array?.isEmpty ?? true || value.array?.contains { !$0.isNull } ?? true
    }

    /// Whether the document is empty: then nothing is missed.
    private mutating func isBare() throws(MappingError) -> Bool {
        let tree = try document()
        return tree.object?.isEmpty ?? tree.array?.isEmpty ?? false
    }

    private mutating func document() throws(MappingError) -> JSON {
        if let tree { return tree }
        let result = payload.withJSONView { bytes in
            Result { () throws(MappingError) in try JSON(bytes, maximumDepth: options.limits.depth) }
        }
        let new = try result.get()
        tree = new
        return new
    }
}
