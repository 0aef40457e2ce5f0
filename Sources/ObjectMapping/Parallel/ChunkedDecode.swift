/// The elements of a collection, read by several threads.
struct ChunkedDecode: @unchecked Sendable {  // guarded by never changing, nor does the window over a whole text
    let run: DecodeRun
    let starts: ElementStarts
    /// At the first element.
    let first: ElementCursor
    let type: ElementType
    let policy: MappingReport.Policy

    /// Takes chunks from a queue, and reads them, until it has none.
    func read(from queue: ChunkQueue) {
        var reader = run.reader(first.window)
        defer { reader.free() }
        while let number = queue.take() {
            let chunk = readChunk(number, &reader)
            queue.finish(number, chunk)
            // One that stopped anywhere in the text is not used again.
            guard case .failure = chunk.end else { continue }
            reader.free()
            reader = run.reader(first.window)
        }
    }

    /// Reads the elements from a start up to another one that this leads to; or to the end, past those that are none.
    private func readChunk(_ number: Int, _ reader: inout PlanReader) -> ElementChunk {
        let limits = run.options.limits
        var cursor = first
        reader.rewind(to: cursor.window.fence)
        reader.reset(depth: cursor.depth)
        var judge = ElementRejection(run.plan, policy, limits, byteCount: cursor.window.bytes.count)
        var models = ElementMemory(type, in: reader.lists)
        models.reserve(
            type.likelyCount(after: 1, in: starts.elementSize, of: starts.chunkSize), type, &reader.lists)
        var remarks: [ElementChunk.Remark] = []
        var entry = Entry(operation: .value)
        var next = number + 1
        func finished(_ end: ElementChunk.End) -> ElementChunk {
            ElementChunk(
                models: models.start, count: models.count, findings: judge.findings, remarks: remarks, end: end)
        }
        do {
            if number > 0 { cursor.resume(at: starts.starts[number].place) }
            var element = number > 0 ? try cursor.next(&reader) : cursor.place
            while let place = element {
                if next < starts.starts.count {
                    let offset = reader.offset(place)
                    while next < starts.starts.count, starts.starts[next].offset < offset { next += 1 }
                    if next < starts.starts.count, starts.starts[next].offset == offset,
                        cursor.isInSameCollection(as: first)
                    {
                        return finished(.start(next, cursor.progress))
                    }
                }
                guard cursor.index < limits.elementCount else { return finished(.failure) }
                let memory = models.slot(type, &reader.lists)
                let end = run.objects.make(&reader, place, &entry, memory)
                let isMade = end != nil && reader.isMade
                if cursor.shape == .line, !cursor.isLineRead(to: end) {
                    if isMade { type.destroy(memory, 1) }
                    if policy == .fail { return finished(.failure) }
                    remarks.append(
                        ElementChunk.Remark(
                            cursor: cursor, place: place, end: end, findings: reader.findings, isMade: false,
                            isBrokenLine: true))
                    _ = cursor.skipLine()
                } else {
                    guard let end else { return finished(.failure) }
                    var isKept = isMade
                    if judge.mustLook(at: reader) {
                        if policy == .fail {
                            isKept = judge.accepts(place, end, &reader, &cursor, isMade: isMade) && isMade
                        } else {
                            let remark = ElementChunk.Remark(
                                cursor: cursor, place: place, end: end, findings: reader.findings, isMade: isMade)
                            remarks.append(remark)
                            isKept = isMade && !judge.leavesOut(remark)
                            if isMade, !isKept { type.destroy(memory, 1) }
                        }
                    }
                    if isKept { models.keep() }
                    cursor.didRead(to: end)
                }
                element = try cursor.next(&reader)
            }
            return finished(.text(cursor.progress))
        } catch {
            return finished(.failure)
        }
    }
}
