extension DecodeRun {
    /// Reads the elements of a collection on several threads; nil where one has to do it, or where the text is broken, or
    /// beyond a limit: one alone finds out how.
    func elements<Model>(
        _ reader: inout PlanReader, _ bytes: UnsafeRawBufferPointer, at keyPath: JSONKeyPath,
        each shape: ElementShape, _ policy: MappingReport.Policy, in settings: ParallelReading
    ) -> Outcome<[Model]>? {
        guard isDivisible, bytes.count >= settings.shortestText,
            let cursor = firstElement(&reader, at: keyPath, each: shape),
            let starts = ElementStarts(cursor, settings)
        else { return nil }
        let type = ElementType(Model.self)
        let decode = ChunkedDecode(run: self, starts: starts, first: cursor, type: type, policy: policy)
        let queue = ChunkQueue(count: starts.starts.count, elementLimit: options.limits.elementCount)
        DispatchQueue.concurrentPerform(iterations: min(settings.threadCount, starts.starts.count)) { _ in
            decode.read(from: queue)
        }
        let proven = Set(queue.hasFailed ? [] : queue.proven)
        for (number, chunk) in queue.chunks.enumerated() where !proven.contains(number) { chunk?.discard(type) }
        if queue.hasFailed { return nil }
        settings.log?(queue.proven.count)
        let chunks = queue.proven.compactMap { queue.chunks[$0] }
        return outcome(of: chunks, cursor, &reader, bytes, policy, type)
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

    /// Judges what was found in the elements in their order, and puts the models into one array; nil where one thread has
    /// to decide.
    private func outcome<Model>(
        of chunks: [ElementChunk], _ first: ElementCursor, _ reader: inout PlanReader, _ bytes: UnsafeRawBufferPointer,
        _ policy: MappingReport.Policy, _ type: ElementType
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
                        for chunk in chunks { chunk.discard(type) }
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
        return judge.outcome(models(of: chunks, type), nil)
    }

    private func models<Model>(of chunks: [ElementChunk], _ type: ElementType) -> [Model] {
        var count = 0
        let places = chunks.map { chunk in
            defer { count += chunk.count }
            return count
        }
        return [Model](unsafeUninitializedCapacity: count) { buffer, initialized in
            // Each thread writes where no other does.
            nonisolated(unsafe) let start = buffer.baseAddress.map { Memory($0) }
            // New memory is had page by page, which takes a good part of the time: so this, too, on all cores.
            DispatchQueue.concurrentPerform(iterations: chunks.count) { index in
                let chunk = chunks[index]
                if let start { type.move(chunk.models, chunk.count, start + places[index] * type.stride) }
                chunk.models.deallocate()
            }
            initialized = count
        }
    }
}
