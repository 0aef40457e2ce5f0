/// The reading of one chunk, from its start up to another one that this leads to; or to the end of the text, past those
/// that are none.
struct ChunkReading {
    private let decode: ChunkedDecode
    private var cursor: ElementCursor
    private var judge: ElementRejection
    private var models: ElementMemory
    private var remarks: [ElementChunk.Remark] = []
    /// The next start that the elements may lead to.
    private var next: Int
    private let isFirst: Bool

    init(_ number: Int, of decode: ChunkedDecode, _ reader: inout PlanReader) {
        self.decode = decode
        cursor = decode.first
        isFirst = number == 0
        next = number + 1
        reader.rewind(to: cursor.window.fence)
        reader.reset(depth: cursor.depth)
        judge = ElementRejection(
            decode.run.plan, decode.policy, decode.run.options.limits, byteCount: cursor.window.bytes.count)
        let (type, starts) = (decode.type, decode.starts)
        models = ElementMemory(type, in: reader.lists)
        models.reserve(
            type.likelyCount(after: 1, in: starts.elementSize, of: starts.chunkSize), type, &reader.lists)
        if !isFirst { cursor.resume(at: starts.starts[number].place) }
    }

    /// Reads all of it.
    mutating func read(_ reader: inout PlanReader) -> ElementChunk {
        let end = (try? readElements(&reader)) ?? .failure
        return ElementChunk(
            models: models.start, count: models.count, findings: judge.findings, remarks: remarks,
            end: reader.sawWatchedKeyAgain ? .failure : end)
    }

    private mutating func readElements(_ reader: inout PlanReader) throws -> ElementChunk.End {
        var element = isFirst ? cursor.place : try cursor.next(&reader)
        while let place = element {
            if let start = start(at: reader.offset(place)) { return .start(start, cursor.progress) }
            guard cursor.index < decode.run.options.limits.elementCount, readElement(place, &reader) else {
                return .failure
            }
            element = try cursor.next(&reader)
        }
        return .text(cursor.progress)
    }

    /// The start of another chunk at which the elements have arrived; nil for none.
    private mutating func start(at offset: Int) -> Int? {
        let starts = decode.starts.starts
        while next < starts.count, starts[next].offset < offset { next += 1 }
        let isStart = next < starts.count && starts[next].offset == offset
        return isStart && cursor.isInSameCollection(as: decode.first) ? next : nil
    }

    /// Reads one element; false where one thread has to find out what is wrong.
    private mutating func readElement(_ place: Bytes, _ reader: inout PlanReader) -> Bool {
        var entry = Entry(operation: .value)
        let memory = models.slot(decode.type, &reader.lists)
        let end = decode.run.objects.make(&reader, place, &entry, memory)
        let isMade = end != nil && reader.isMade
        if cursor.shape == .line, !cursor.isLineRead(to: end) {
            if isMade { decode.type.destroy(memory, 1) }
            return passBrokenLine(place, end, reader.findings)
        }
        guard let end else { return false }
        if !judge.mustLook(at: reader) {
            if isMade { models.keep() }
        } else if accepts(place, end, &reader, isMade: isMade) {
            models.keep()
        } else if isMade {
            decode.type.destroy(memory, 1)
        }
        cursor.didRead(to: end)
        return true
    }

    /// Goes on behind a line that is broken; false where the policy wants no more of the text.
    private mutating func passBrokenLine(_ place: Bytes, _ end: Bytes?, _ findings: FindingList) -> Bool {
        if decode.policy == .fail { return false }
        remarks.append(
            ElementChunk.Remark(
                cursor: cursor, place: place, end: end, findings: findings, isMade: false, isBrokenLine: true))
        _ = cursor.skipLine()
        return true
    }

    /// Whether the model of an element in which something was found is kept, if there is one.
    private mutating func accepts(_ place: Bytes, _ end: Bytes, _ reader: inout PlanReader, isMade: Bool) -> Bool {
        if decode.policy == .fail { return judge.accepts(place, end, &reader, &cursor, isMade: isMade) && isMade }
        let remark = ElementChunk.Remark(
            cursor: cursor, place: place, end: end, findings: reader.findings, isMade: isMade)
        remarks.append(remark)
        return isMade && !judge.leavesOut(remark)
    }
}
