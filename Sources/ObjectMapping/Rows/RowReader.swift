/// Reads the elements of a dump as rows, one at a time, through a window: memory does not grow with the dump.
package final class RowReader {
    /// One element; what it lends is valid until the next one is read.
    package struct Element {
        /// The element's number in the dump, from 0.
        package let index: Int
        package let rows: ElementRows
        /// What is wrong with it; if there is anything but warnings, the rows must not be stored.
        package let issues: [MappingIssue]
        /// The element as it stands in the dump.
        package let raw: UnsafeRawBufferPointer

        /// Whether the rows may be stored.
        package var isSound: Bool { issues.allSatisfy(\.isWarning) }
    }

    private let plan: RowPlan
    /// A dump may have many elements, each with issues.
    private let limits = MappingLimits(issueCount: 1000)
    private let entity: Int?
    // Exclusivity unchecked: a reader belongs to one thread and no access outlasts a call; the checks cost every element.
    @exclusivity(unchecked) private var cursor: ElementCursor
    @exclusivity(unchecked) private var reader: PlanReader
    private let node: UnsafeMutablePointer<Node>
    /// What ended the reading before the end of the dump.
    private var failure: (any Error)?

    /// Opens a dump.
    ///
    /// - Parameters:
    ///   - entity: Index of the elements' entity; nil where each is wrapped in an object whose key names its entity.
    ///   - at: Where the collection stands; plain keys only.
    ///   - windowSize: Bytes of the dump that are in memory, as long as every element fits; 256 KB by default.
    /// - Throws: `MappingError` for operators in the path, or what the source throws at its first bytes.
    package init(
        source: some ByteSource, plan: RowPlan, entity: Int?, at path: JSONKeyPath, shape: ElementShape,
        windowSize: Int = 256 * 1024
    ) throws {
        self.plan = plan
        self.entity = entity
        let window = try Window(source: source, capacity: windowSize)
        cursor = try ElementCursor(window: window, path: path, shape: shape, acceptsNull: false)
        reader = PlanReader(plan: plan.plan, window: window, limits: limits)
        node = plan.node(entity)
    }

    deinit { reader.free() }

    /// The next element; nil at the end of a sound dump.
    ///
    /// - Throws: `MappingError` for broken JSON, and for a path that leads nowhere; what the source throws.
    package func next() throws -> Element? {
        if let failure { throw failure }
        do {
            return try element()
        } catch {
            // Only the lines of NDJSON can be read on behind a mistake.
            if cursor.shape != .line || !(error is MappingError) { failure = error }
            throw error
        }
    }

    private func element() throws -> Element? {
        guard var place = try cursor.next(&reader) else { return nil }
        while true {
            let end = read(place)
            let window = cursor.window
            if let issue = cursor.issueOfLine(readTo: end) { throw MappingError(issue) }
            // A number at the end of the window may go on; every other value says itself where it ends.
            if let end, window.isComplete || !window.isAtEnd(end) || place.pointee == .openBrace {
                return finish(place, end)
            }
            if end == nil, let issue = cursor.definiteIssue(at: place) { throw MappingError(issue) }
            guard !window.isComplete else { throw MappingError(cursor.unexpected(at: place)) }
            place = try cursor.slide(keeping: place)
            reader.reset(depth: cursor.depth)
        }
    }

    /// Past the line of NDJSON that `next()` found broken, to go on with the next one; what stood on it.
    package func skipBadLine() -> [UInt8] { cursor.skipLine() }

    /// The path of the element that `next()` gave last.
    package var steps: [JSONPathStep] { cursor.steps }

    /// The line and column of the element that `next()` gave last.
    package func position(of element: Element) -> TextPosition {
        guard let start = element.raw.baseAddress else { return TextPosition() }
        return cursor.position(of: start.assumingMemoryBound(to: UInt8.self))
    }

    private func read(_ place: Bytes) -> Bytes? {
        guard let entity else {
            guard place.pointee == .openBrace else {
                return reader.mismatch(place, -1, "an object that wraps an element")
            }
            let end = reader.object(place, node, RowBuffer.base(-1))
            if end != nil, reader.rows.count == 0, reader.findings.isEmpty { noteUnknownWrapper(place, end ?? place) }
            return end
        }
        guard place.pointee == .openBrace || node.pointee.whole != nil else {
            return reader.mismatch(place, -1, "an object")
        }
        let base = reader.rows.add(
            entity: Int32(entity), slots: Int(node.pointee.slotCount), parent: -1, relationship: -1,
            offset: reader.offset(place))
        reader.rows.open = reader.rows.serial
        if let key = cursor.memberKey {
            node.pointee.completion?._withUnsafeGuaranteedRef { $0.storeMemberName(key, &reader, base, at: place) }
        }
        return reader.object(place, node, base)
    }

    private func noteUnknownWrapper(_ place: Bytes, _ end: Bytes) {
        let known = plan.entities.flatMap(\.elementNames)
        let keys = (try? JSON(reader.stretch(place, end)))?.object?.keys ?? []
        // A wrapper that is there makes no row only where it holds null.
        let empty = keys.first(where: known.contains)
        let near = empty == nil ? keys.flatMap { nearestNames(to: $0, among: known) } : []
        reader.note(
            .notFound, at: place, -1,
            empty.map { "an object in the wrapper '\($0)'" } ?? "a wrapper: one of \(known.joined(separator: ", "))",
            empty == nil ? "none" : "null", near)
    }

    private func finish(_ place: Bytes, _ end: Bytes) -> Element {
        let raw = cursor.window.bytes(from: place, to: end)
        var issues: [MappingIssue] = []
        if !reader.findings.isEmpty {
            let origin = cursor.position(of: place)
            issues = plan.plan.issues(
                reader.findings, in: raw, at: origin, under: cursor.steps, limit: limits.issueCount)
        }
        cursor.didRead(to: end)
        return Element(index: cursor.index, rows: reader.rows.finished(), issues: issues, raw: raw)
    }
}
