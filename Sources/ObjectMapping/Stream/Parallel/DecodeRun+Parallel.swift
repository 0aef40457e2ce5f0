/// The settings for reading a collection with several threads.
package struct ParallelReading: Sendable {
    /// The number of threads, including the caller.
    package var threadCount = ProcessInfo.processInfo.activeProcessorCount
    /// The minimum length of a text: shorter ones are read faster by one thread.
    package var shortestText = 256 << 10
    /// The minimum size of a chunk in bytes.
    package var shortestChunk = 64 << 10
    /// The maximum size of a chunk in bytes, so that all threads end at about the same time.
    package var longestChunk = 512 << 10
    /// The maximum length of an element in bytes; longer elements are read by one thread.
    package var longestElement = 64 << 10

    /// Receives the number of chunks, if there are several.
    package var log: (@Sendable (_ chunkCount: Int) -> Void)?

    package init() {}

    func chunkSize(for byteCount: Int) -> Int {
        max(shortestChunk, min(longestChunk, byteCount / (8 * max(1, threadCount))))
    }
}

extension DecodeRun {
    /// Reads the elements of a collection with several threads; returns `nil` if a single thread has to read it,
    /// because the text is not divisible, is invalid, or exceeds a limit.
    func elements<Model>(
        _ reader: inout PlanReader, _ bytes: ByteView, at keyPath: JSONKeyPath,
        each shape: ElementShape, _ policy: MappingReport.Policy, in settings: ParallelReading,
        into models: inout [Model]
    ) -> Outcome? {
        // A repeated read uses one thread.
        guard isDivisible, reader.matching.takesValuesEarly, bytes.count >= settings.shortestText,
            let cursor = firstElement(&reader, at: keyPath, each: shape),
            let starts = ElementStarts(cursor, settings)
        else { return nil }
        let type = ElementType(Model.self)
        let decode = ChunkedDecode(run: self, starts: starts, first: cursor, type: type, policy: policy)
        let room = type.likelyCount(after: 1, in: starts.elementSize, of: starts.byteCount)
        let queue = ChunkQueue(count: starts.starts.count, elementLimit: options.limits.elementCount, room: room)
        models = [Model](capacity: room) { memory in
            DispatchQueue.concurrentPerform(iterations: min(settings.threadCount, starts.starts.count)) { _ in
                decode.read(from: queue, into: memory)
            }
            return queue.movedCount
        }
        guard let chunks = queue.result else { return nil }
        // Those that exceeded the capacity of the array.
        for chunk in chunks { chunk.models?.move(to: &models) }
        settings.log?(chunks.count)
        return outcome(of: chunks, models.count, cursor, &reader, policy)
    }

    /// Whether elements are independent of each other and of their surroundings.
    private var isDivisible: Bool { source == nil && objects.levels.count == 0 && !plan.keepsContext }

    /// Returns a cursor at the first element; `nil` if the collection is missing, invalid or empty.
    ///
    /// The position of the reader does not change.
    private func firstElement(
        _ reader: inout PlanReader, at keyPath: JSONKeyPath, each shape: ElementShape
    ) -> ElementCursor? {
        defer {
            reader.rewind(to: reader.window.fence)
            reader.reset(depth: 0)
        }
        guard var cursor = try? cursor(reader.window, at: keyPath, each: shape) else { return nil }
        return (try? cursor.next(&reader)) == nil ? nil : cursor
    }

    /// Applies the policy to the findings of the elements, in order; returns `nil` if one thread has to read the text.
    private func outcome(
        of chunks: [ElementChunk], _ modelCount: Int, _ first: ElementCursor, _ reader: inout PlanReader,
        _ policy: MappingReport.Policy
    ) -> Outcome? {
        var report = ElementReport(plan, policy, options.limits)
        var before = ElementCursor.Progress()
        var mark = first.mark
        for chunk in chunks {
            report.append(contentsOf: chunk.findings)
            for remark in chunk.remarks {
                var cursor = remark.cursor
                cursor.advance(by: before, isSameCollection: cursor.isInSameCollection(as: first))
                cursor.mark = mark
                if remark.isBrokenLine {
                    guard let issue = cursor.issueOfLines(readTo: remark.end) else { return nil }
                    _ = report.rejects(line: issue, &cursor)
                } else if let end = remark.end {
                    _ = report.accepts(&cursor, to: end, remark.findings, isMade: remark.isMade)
                }
                mark = cursor.mark
            }
            guard case .start(_, let progress) = chunk.end else { continue }
            before.index += progress.index
            before.elementIndex += progress.elementIndex
        }
        reader.findings = report.findings
        return report.outcome(modelCount, nil)
    }
}
