/// Reads the elements of a dump as rows, one at a time, in bounded memory.
package final class RowReader {
    /// One element; its memory is valid until the next element is read.
    package struct Element {
        /// The index of the element in the dump.
        package let index: Int
        package let rows: ElementRows
        /// The issues of the element; if one is not a warning, the rows must not be stored.
        package let issues: [MappingIssue]
        /// The bytes of the element in the dump.
        package let raw: ByteView

        /// Whether the rows may be stored.
        package var isSound: Bool { issues.allSatisfy(\.isWarning) }
    }

    /// A dump can have many elements, each with issues.
    private static let limits = MappingLimits(issueCount: 1000)

    // Exclusivity unchecked: a reader belongs to one thread and no access outlasts a call; the checks cost every element.
    @safe @exclusivity(unchecked) private var loop: ElementLoop<RowMaker>
    @safe @exclusivity(unchecked) private var reader: PlanReader
    /// The error that ended reading before the end of the dump.
    private var failure: (any Error)?

    /// Opens a dump.
    ///
    /// - Parameters:
    ///   - entity: For a plan with several entities, the index of the elements' entity; `nil` if each element is
    ///     wrapped in an object whose key names its entity. Defaults to `nil`.
    ///   - at: The key path of the collection; plain keys only.
    ///   - windowSize: The number of bytes in memory, if all elements fit. Defaults to 256 KB.
    ///   - metadata: The object for the sources `.metadata("…")`. Defaults to an empty object.
    /// - Throws: `MappingError` for operators in the path; the errors of the source for its first bytes.
    package init(
        source: some ByteSource, plan: RowPlan, entity: Int? = nil, at path: JSONKeyPath, shape: ElementShape,
        windowSize: Int = 256 * 1024, metadata: JSON = [:]
    ) throws {
        let window = try Window(source: source, capacity: windowSize)
        let cursor = try ElementCursor(window: window, path: path, shape: shape)
        loop = ElementLoop(cursor, RowMaker(plan, entity))
        reader = PlanReader(plan: plan.plan, window: window, limits: Self.limits, metadata: metadata)
    }

    /// Reads the next element; returns `nil` at the end of a valid dump.
    ///
    /// - Throws: `MappingError` for invalid JSON and for an unresolved path; the errors of the source.
    package func next() throws -> Element? {
        if let failure { throw failure }
        reader.nesting.resume()
        do {
            guard try loop.find(&reader) else { return nil }
            guard try loop.read(&reader), let end = loop.end else { throw MappingError(loop.issue(&reader)) }
            defer { loop.advance() }
            let issues =
                reader.findings.isEmpty
                ? [] : loop.cursor.issues(of: reader.findings, to: end, reader.plan, limit: Self.limits.issueCount)
            // A further match would take as long, and occupy another thread.
            if !issues.isEmpty, reader.rows.patterns.values.contains(where: \.hasTimedOut) {
                throw MappingError(issues)
            }
            return Element(
                index: loop.cursor.index, rows: reader.rows.finished(), issues: issues, raw: loop.cursor.text(to: end))
        } catch {
            // Only NDJSON can be read after an error.
            if loop.cursor.shape != .line || !(error is MappingError) { failure = error }
            throw error
        }
    }

    /// Skips the invalid line of NDJSON at which `next()` failed, or the lines of an invalid object, and returns the text.
    package func skipBadLine() -> [UInt8] { loop.cursor.skipLines() }

    /// The number of null elements so far, which are skipped.
    package var nullCount: Int { loop.cursor.nullCount }

    /// The path of the last element returned by `next()`.
    package var steps: [JSONPathStep] { loop.cursor.steps }

    /// Returns the line and column of the last element returned by `next()`.
    package func position(of element: Element) -> TextPosition {
        guard let start = Bytes(element.raw) else { return TextPosition() }
        return loop.cursor.position(of: start)
    }
}

/// Reads elements into the rows of a reader.
private struct RowMaker: ElementMaker {
    private let plan: RowPlan
    private let entity: Int?
    private let node: NodeRef

    /// The rows of an element are replaced when it is read again.
    static var mayReadAgain: Bool { true }

    init(_ plan: RowPlan, _ entity: Int?) {
        self.plan = plan
        self.entity = entity
        node = plan.root == nil ? plan.node(entity) : plan.plan.root
    }

    mutating func make(_ place: Bytes, _ cursor: borrowing ElementCursor, _ reader: inout PlanReader) -> MakeResult {
        .skipped(rows(place, cursor, &reader))
    }

    mutating func discard() {}

    private func rows(_ place: Bytes, _ cursor: borrowing ElementCursor, _ reader: inout PlanReader) -> Bytes? {
        if let root = plan.root { return root.box.make(&reader, place, root.entry, RowBuffer.noModel).end }
        guard let entity else {
            guard place.pointee == .openBrace else {
                return reader.mismatch(place, -1, "an object that wraps an element")
            }
            guard let end = reader.object(place, node, RowBuffer.noModel) else { return nil }
            if reader.rows.count == 0, reader.findings.isEmpty { noteUnknownWrapper(place, end, &reader) }
            return end
        }
        guard place.pointee == .openBrace || node.pointee.valueEntry != nil else {
            return reader.mismatch(place, -1, "an object")
        }
        _ = reader.rows.open(
            entity: Int32(entity), slots: Int(node.pointee.slotCount), relationship: -1, offset: reader.offset(place))
        if let key = cursor.memberKey {
            node.pointee.completion?.with { $0.storeMemberName(key, &reader, at: place) }
        }
        return reader.object(place, node, RowBuffer.noModel)
    }

    private func noteUnknownWrapper(_ place: Bytes, _ end: Bytes, _ reader: inout PlanReader) {
        let known = plan.entities.flatMap(\.elementNames)
        let keys = (try? JSON(reader.stretch(place, end)))?.object?.keys ?? []
        // A known wrapper produces no row only if its value is null.
        let empty = keys.first(where: known.contains)
        let near = empty == nil ? keys.flatMap { nearestNames(to: $0, among: known) } : []
        reader.note(
            .notFound, at: place, -1,
            empty.map { "an object in the wrapper '\($0)'" } ?? "a wrapper: one of \(known.joined(separator: ", "))",
            empty == nil ? "no wrapper" : "null", near)
    }
}
