extension DecodeRun {
    /// Reads the elements of a collection on several threads; nil where one has to do it, or where the text is broken, or
    /// beyond a limit: one alone finds out how.
    func elements<Model>(
        _ reader: inout PlanReader, _ bytes: UnsafeRawBufferPointer, at keyPath: JSONKeyPath,
        each shape: ElementShape, _ policy: MappingReport.Policy, in settings: ParallelReading
    ) -> Outcome<[Model]>? {
        // What is read once more is read by one thread.
        guard isDivisible, reader.takesValuesEarly, bytes.count >= settings.shortestText,
            let cursor = firstElement(&reader, at: keyPath, each: shape),
            let starts = ElementStarts(cursor, settings)
        else { return nil }
        let type = ElementType(Model.self)
        let decode = ChunkedDecode(run: self, starts: starts, first: cursor, type: type, policy: policy)
        let room = type.likelyCount(after: 1, in: starts.elementSize, of: starts.byteCount)
        let queue = ChunkQueue(
            count: starts.starts.count, elementLimit: options.limits.elementCount, room: room)
        var models = [Model](unsafeUninitializedCapacity: room) { buffer, count in
            nonisolated(unsafe) let memory = buffer.baseAddress.map { Memory($0) }
            DispatchQueue.concurrentPerform(iterations: min(settings.threadCount, starts.starts.count)) { _ in
                decode.read(from: queue, into: memory)
            }
            count = queue.landedCount
        }
        let chunks = queue.hasFailed ? [] : queue.proven.compactMap { queue.chunks[$0] }
        // Those for which there was no room.
        for chunk in chunks {
            guard let rest = chunk.models else { continue }
            models.append(moving: rest, chunk.count)
            rest.deallocate()
        }
        let proven = Set(queue.hasFailed ? [] : queue.proven)
        for (number, chunk) in queue.chunks.enumerated() where !proven.contains(number) { chunk?.discard(type) }
        if queue.hasFailed { return nil }
        settings.log?(chunks.count)
        return outcome(of: chunks, models, cursor, &reader, bytes, policy)
    }

    /// Whether elements have nothing to do with each other, nor with what stands around them.
    private var isDivisible: Bool { session == nil && objects.levels.count == 0 && !plan.keepsContext }

    /// A cursor at the first element; nil if there is none.
    ///
    /// The reader is where it was afterwards.
    private func firstElement(
        _ reader: inout PlanReader, at keyPath: JSONKeyPath, each shape: ElementShape
    ) -> ElementCursor? {
        defer {
            reader.rewind(to: reader.window.fence)
            reader.reset(depth: 0)
        }
        guard
            var cursor = try? ElementCursor(
                window: reader.window, path: keyPath, shape: shape, acceptsNull: true,
                maximumDepth: reader.maximumDepth)
        else { return nil }
        return (try? cursor.next(&reader)) == nil ? nil : cursor
    }

    /// Judges what was found in the elements in their order; nil where one thread has to decide.
    private func outcome<Model>(
        of chunks: [ElementChunk], _ models: [Model], _ first: ElementCursor, _ reader: inout PlanReader,
        _ bytes: UnsafeRawBufferPointer, _ policy: MappingReport.Policy
    ) -> Outcome<[Model]>? {
        let findings = reader.findings
        var judge = ElementRejection(plan, policy, options.limits, byteCount: bytes.count)
        var before = ElementCursor.Progress()
        var mark = first.mark
        for chunk in chunks {
            judge.append(contentsOf: chunk.findings)
            for remark in chunk.remarks {
                var cursor = remark.cursor
                cursor.advance(by: before, isSameCollection: cursor.isInSameCollection(as: first))
                cursor.mark = mark
                if remark.isBrokenLine {
                    guard let issue = cursor.issueOfLine(readTo: remark.end) else {
                        reader.findings = findings
                        return nil
                    }
                    _ = judge.rejects(line: issue, &cursor)
                } else if let end = remark.end {
                    reader.findings = remark.findings
                    _ = judge.accepts(remark.place, end, &reader, &cursor, isMade: remark.isMade)
                }
                mark = cursor.mark
            }
            guard case .start(_, let progress) = chunk.end else { continue }
            before.index += progress.index
            before.elementIndex += progress.elementIndex
        }
        reader.findings = judge.findings
        return judge.outcome(models, nil)
    }
}
