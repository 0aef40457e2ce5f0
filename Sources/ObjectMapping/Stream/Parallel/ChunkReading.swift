/// The elements of a collection, read by several threads.
struct ChunkedDecode: @unchecked Sendable {  // immutable, as is the window over a complete text
    let run: DecodeRun
    let starts: ElementStarts
    /// At the first element.
    let first: ElementCursor
    let type: ElementType
    let policy: MappingReport.Policy

    /// Reads chunks from a queue until it is empty.
    ///
    /// - Parameter memory: The memory to which models are moved as soon as the number of models before them is known.
    func read(from queue: ChunkQueue, into memory: Memory) {
        var reader = self.reader
        while let number = queue.take() {
            var reading = ChunkReading(number, of: self, &reader)
            let chunk = reading.read(&reader)
            // Each thread writes to a separate range.
            for (models, position) in queue.finish(number, chunk) {
                models.move(to: memory + position * type.stride)
            }
            // A reader that stopped in a value is not used again.
            guard case .failure = chunk.end else { continue }
            reader = self.reader
        }
    }

    private var reader: PlanReader {
        var reader = run.reader(first.window)
        reader.matching.takesValuesEarly = true
        return reader
    }
}

/// The elements from one start up to another one that they lead to, or up to the end of the text, read by one thread.
private struct ChunkReading: ~Copyable {
    private let decode: ChunkedDecode
    private var loop: ElementLoop<ModelMaker>
    private var report: ElementReport
    private var remarks: [ElementChunk.Remark] = []
    /// The next start that the elements can lead to.
    private var next: Int

    init(_ number: Int, of decode: ChunkedDecode, _ reader: inout PlanReader) {
        self.decode = decode
        next = number + 1
        var cursor = decode.first
        reader.rewind(to: cursor.window.fence)
        reader.reset(depth: cursor.depth)
        if number > 0 { cursor.resume(at: decode.starts.starts[number].place) }
        let (run, starts) = (decode.run, decode.starts)
        var maker = ModelMaker(
            run.objects, decode.type, reader, requiresMappedKey: run.options.requiresMappedKey)
        maker.reserve(
            decode.type.likelyCount(after: 1, in: starts.elementSize, of: starts.chunkSize), &reader)
        report = ElementReport(run.plan, decode.policy, run.options.limits)
        loop = ElementLoop(
            cursor, maker, text: cursor.window.bytes, largestElement: run.options.limits.elementByteCount,
            isAtElement: number == 0)
    }

    /// Reads the whole chunk.
    mutating func read(_ reader: inout PlanReader) -> ElementChunk {
        let end = (try? readElements(&reader)) ?? .failure
        return ElementChunk(
            models: loop.maker.release(), findings: report.findings, remarks: remarks,
            end: reader.matching.foundDuplicateWatchedKey ? .failure : end)
    }

    private mutating func readElements(_ reader: inout PlanReader) throws -> ElementChunk.End {
        while try loop.find(&reader) {
            if let start = start(at: reader.offset(loop.cursor.place)) { return .start(start, loop.cursor.progress) }
            guard loop.cursor.index < decode.run.options.limits.elementCount else { return .failure }
            if try loop.read(&reader) {
                if !reader.findings.isEmpty, !accepts(&reader) { loop.discard(&reader) }
                loop.advance()
            } else {
                loop.discard(&reader)
                // A single thread determines the error in the text.
                guard loop.cursor.shape == .line, decode.policy != .fail else { return .failure }
                addRemark(reader.findings, isBrokenLine: true)
                _ = loop.cursor.skipLines()
            }
        }
        return .text(loop.cursor.progress)
    }

    /// Returns the start of another chunk to which the elements lead; `nil` if no chunk starts at the offset.
    private mutating func start(at offset: Int) -> Int? {
        let starts = decode.starts.starts
        while next < starts.count, starts[next].offset < offset { next += 1 }
        let isStart = next < starts.count && starts[next].offset == offset
        return isStart && loop.cursor.isInSameCollection(as: decode.first) ? next : nil
    }

    /// Whether the model of an element with findings is kept.
    private mutating func accepts(_ reader: inout PlanReader) -> Bool {
        if decode.policy == .fail {
            report.append(contentsOf: reader.findings)
            return true
        }
        addRemark(reader.findings)
        return !report.skips(reader.findings, isMade: loop.isMade)
    }

    private mutating func addRemark(_ findings: FindingList, isBrokenLine: Bool = false) {
        remarks.append(
            ElementChunk.Remark(
                cursor: loop.cursor, end: loop.end, findings: findings, isMade: loop.isMade,
                isBrokenLine: isBrokenLine))
    }
}

extension ElementCursor {
    /// Counts of elements.
    struct Progress {
        var index = 0
        var elementIndex = 0
    }

    /// The number of elements, and of array elements including null.
    var progress: Progress { Progress(index: index, elementIndex: elementIndex) }
}
