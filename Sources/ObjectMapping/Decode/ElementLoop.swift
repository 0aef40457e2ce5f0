/// Reads the value of an element into the form that the owner of a loop needs.
protocol ElementMaker: ~Copyable {
    /// Whether an element can be read repeatedly because it has no side effects; elements across the end of the window
    /// are read again.
    ///
    /// Other elements of a text that is not completely in memory are skipped first, so that each is read once.
    static var mayReadAgain: Bool { get }

    mutating func make(_ place: Bytes, _ cursor: borrowing ElementCursor, _ reader: inout PlanReader) -> MakeResult

    /// Removes the result of the last element.
    mutating func discard()
}

/// Reads the elements of a collection in order; all readers of collections use it.
///
/// For each element, its owner calls `find` and `read`, then `advance` to keep it, or first `discard` to skip it.
struct ElementLoop<Maker: ElementMaker & ~Copyable>: ~Copyable {
    var cursor: ElementCursor
    var maker: Maker
    /// The whole text, if it is in memory.
    private let text: ByteView?
    private let largestElement: Int
    /// Whether each element has a separate session, because memory would otherwise grow with the text.
    private let isolatesElements: Bool
    /// Whether the current element was found and is not read yet.
    private(set) var isPending: Bool
    /// The end of the element that was read last.
    private(set) var end: Bytes?
    /// Whether it produced a model.
    private(set) var isMade = false
    private var savepoint: SourceDecode.Savepoint?

    /// - Parameters:
    ///   - text: The whole text, if it is in memory; `nil` if the window moves over it.
    ///   - largestElement: The maximum length of an element in bytes; longer elements are issues. Defaults to no limit.
    ///   - isAtElement: Whether the cursor is at an element to be read. Defaults to `false`.
    init(
        _ cursor: consuming ElementCursor, _ maker: consuming Maker, text: ByteView? = nil,
        largestElement: Int = .max, isolatesElements: Bool = false, isAtElement: Bool = false
    ) {
        self.cursor = cursor
        self.maker = maker
        self.text = text
        self.largestElement = text.map { $0.count <= largestElement } == true ? .max : largestElement
        self.isolatesElements = isolatesElements
        isPending = isAtElement
    }

    /// Finds the next element; returns false at the end of valid text.
    ///
    /// - Throws: `MappingError` for invalid JSON and for an unresolved path; the errors of the source.
    @inline(__always) mutating func find(_ reader: inout PlanReader) throws -> Bool {
        if !isPending { isPending = try cursor.next(&reader) != nil }
        return isPending
    }

    /// Reads the found element; returns false if it is not valid JSON, or is followed by other text on its line.
    ///
    /// - Throws: `MappingError` for an element that exceeds the window; the errors of the source.
    @inline(__always) mutating func read(_ reader: inout PlanReader) throws -> Bool {
        // Reading must not stop in the middle of an element if the text is not completely in memory.
        let skipsFirst = text == nil && !Maker.mayReadAgain
        if skipsFirst {
            end = try cursor.loadElement(&reader)
            reader.reset(depth: cursor.depth)
        } else {
            begin(&reader)
            make(&reader)
            if text == nil, end.map({ cursor.isEnd($0) }) != true { try makeAgain(&reader) }
        }
        guard let end, reader.stackFailure == nil, cursor.isElement(to: end) else {
            if cursor.shape == .line { try cursor.findEndOfInvalidElement() }
            isPending = false
            return false
        }
        isPending = false
        let isTooLong = largestElement < .max && exceedsLimit(end, &reader)
        if skipsFirst {
            isMade = false
            if !isTooLong {
                begin(&reader)
                make(&reader)
            }
        }
        return reader.findings.isEmpty || isTooLong || makeWithoutReplacedValues(&reader)
    }

    @inline(__always) private mutating func make(_ reader: inout PlanReader) {
        let result = maker.make(cursor.place, cursor, &reader)
        (end, isMade) = (result.end, result.isMade)
    }

    /// Reads an element with findings again without the values that duplicate keys replace, if they matter.
    ///
    /// - Returns: False if the data source refuses the element.
    @inline(never) private mutating func makeWithoutReplacedValues(_ reader: inout PlanReader) -> Bool {
        guard reader.replacedValuesMatter, let end,
            let text = reader.textWithoutReplacedMembers(from: cursor.place, to: end)
        else { return true }
        let duplicates = reader.findings.duplicates
        discard(&reader)
        reader.reset(depth: cursor.depth)
        begin(&reader)
        reader.trace = reader.trace.map(Trace.init(like:))
        let result = reader.reading(text, insteadOf: cursor.place, end, warnings: duplicates) { reader, place in
            maker.make(place, cursor, &reader)
        }
        (self.end, isMade) = (result.end, result.isMade)
        return result.end != nil
    }

    /// Reads an element again after all of it is in the window.
    private mutating func makeAgain(_ reader: inout PlanReader) throws {
        let failure = reader.stackFailure
        reader.reset(depth: cursor.depth)
        guard failure == nil || cursor.shape != .line else { return reader.stackFailure = failure }
        if try cursor.loadElement(&reader) != nil { make(&reader) }
    }

    /// Continues after the element.
    @inline(__always) mutating func advance() { if let end { cursor.didRead(to: end) } }

    /// Removes the result of the element, also from the data source.
    mutating func discard(_ reader: inout PlanReader) {
        maker.discard()
        reader.source?.rollback(to: savepoint)
    }

    /// Returns the issue of an element that is invalid JSON, exceeds the stack, or is refused by the data source.
    mutating func issue(_ reader: inout PlanReader) -> MappingIssue {
        if let failure = reader.failure, let issue = issue(failure, &reader) {
            // Later lines can fit.
            if cursor.shape == .line { reader.stackFailure = nil }
            return issue
        }
        let issue = cursor.issueOfLines(readTo: end) ?? text.flatMap { cursor.firstIssue(in: $0) }
        return issue ?? cursor.unexpected(at: cursor.place)
    }

    /// Returns the issue that ended the decode in an element that may be valid.
    mutating func issue(_ failure: Finding, _ reader: inout PlanReader) -> MappingIssue? {
        reader.reset(depth: cursor.depth)
        guard let end = reader.stackFailure == nil ? reader.skip(cursor.place) : reader.window.end else { return nil }
        reader.findings.append(failure)
        return cursor.issues(of: reader.findings, to: end, reader.plan, limit: 1).first
    }

    // MARK: Steps

    @inline(__always) private mutating func begin(_ reader: inout PlanReader) {
        reader.context?.beginElement(of: cursor)
        if isolatesElements { reader.source = SourceDecode(MappingSession()) }
        savepoint = reader.source?.savepoint()
    }

    /// Adds an issue to an element that exceeds the limit.
    private func exceedsLimit(_ end: Bytes, _ reader: inout PlanReader) -> Bool {
        let count = reader.offset(end) - reader.offset(cursor.place)
        guard count > largestElement else { return false }
        reader.findings.append(
            reader.finding(
                .limit, at: cursor.place, -1, "an element of at most \(largestElement) bytes",
                "an element of \(count) bytes"))
        return true
    }
}

/// Reads elements into models: one per element, or any number under data keys.
struct ModelMaker: ElementMaker, ~Copyable {
    private let objects: ObjectBox
    let list: ListBox?
    private let type: ElementType
    private var models: ElementMemory
    /// The number of models before the last element.
    private var countBefore = 0
    /// The number of models that were taken.
    private var takenCount = 0
    /// The number of models in memory after which they should move.
    private let batchSize: Int
    /// Whether each object must have one of the mapped keys.
    private let requiresMappedKey: Bool

    static var mayReadAgain: Bool { false }

    init(
        _ objects: ObjectBox, _ type: ElementType, _ reader: borrowing PlanReader, requiresMappedKey: Bool
    ) {
        self.objects = objects
        self.requiresMappedKey = requiresMappedKey && objects.mayLackMappedKeys
        self.type = type
        batchSize = max(1, min(64, ListSpace.size / 2 / type.stride))
        list = ModelMaker.list(objects, type)
        models = ElementMemory(type, in: reader.lists)
    }

    /// Returns the box that reads the objects under data keys; `nil` without such keys.
    static func list(_ objects: ObjectBox, _ type: ElementType) -> ListBox? {
        objects.levels.count > 0 ? ListBox(type, objects) : nil
    }

    deinit { type.destroy(models.start + takenCount * type.stride, models.count - takenCount) }

    @inline(__always) mutating func make(
        _ place: Bytes, _ cursor: borrowing ElementCursor, _ reader: inout PlanReader
    ) -> MakeResult {
        reader.foundNoKeys = false
        let fence = reader.fence
        let result = make(place, &reader)
        if reader.foundNoKeys, requiresMappedKey { reader.requireMappedKey(place, fence, objects, result) }
        return result
    }

    @inline(__always) mutating func make(_ place: Bytes, _ reader: inout PlanReader) -> MakeResult {
        countBefore = models.count
        if let list { return list.append(place, &reader, to: &models) }
        let result = objects.make(&reader, place, reader.plan.wholeValue, models.slot(type, &reader.lists))
        if result.isMade { models.keep() }
        return result
    }

    mutating func discard() { models.truncate(to: countBefore, type) }

    // MARK: Models

    /// The number of models that were not taken.
    var count: Int { models.count - takenCount }

    /// Whether the models should move now, while they are in the processor's cache.
    var isFull: Bool { models.count >= batchSize }

    /// Moves the models to the end of an array.
    ///
    /// - Parameters:
    ///   - read: The number of bytes from which they were created.
    ///   - byteCount: The length of the text in bytes.
    mutating func move<Model>(to array: inout [Model], read: Int, of byteCount: Int) {
        if array.isEmpty, isFull { array.reserveCapacity(type.likelyCount(after: count, in: read, of: byteCount)) }
        array.append(moving: models.start, models.count)
        models.removeAll()
    }

    /// Moves the first model out of the memory; it must exist.
    ///
    /// The type is a parameter, because a type inferred from the result could be an optional of it.
    mutating func take<Model>(_: Model.Type) -> Model {
        let memory = models.start + takenCount * type.stride
        takenCount += 1
        if takenCount == models.count {
            models.removeAll()
            takenCount = 0
        }
        return memory.move(as: Model.self)
    }

    /// Makes room for a number of models in memory that outlasts the reader.
    mutating func reserve(_ count: Int, _ reader: inout PlanReader) { models.reserve(count, type, &reader.lists) }

    /// Returns the models, in memory created by `reserve`.
    mutating func release() -> ModelBlock { ModelBlock(models.release(), type) }
}
