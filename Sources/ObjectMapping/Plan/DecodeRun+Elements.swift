extension DecodeRun {
    /// Reads the elements of a collection.
    func elements<Model>(
        _ reader: inout PlanReader, _ bytes: UnsafeRawBufferPointer, at keyPath: JSONKeyPath,
        each shape: ElementShape, _ policy: MappingReport.Policy
    ) throws(MappingError) -> Outcome<[Model]> {
        var cursor = try ElementCursor(
            window: reader.window, path: keyPath, shape: shape, acceptsNull: true, maximumDepth: reader.maximumDepth)
        var judge = ElementRejection(plan, policy, options.limits, byteCount: bytes.count)
        let type = ElementType(Model.self)
        // Some models at a time grow in the list space; then they move on, while they are still in the processor's cache.
        var models: [Model] = []
        var batch = ElementMemory(type, in: reader.lists)
        let batchSize = max(1, min(64, ListSpace.size / 2 / type.stride))
        var entry = Entry(operation: .value)
        // Under keys that are data there are any number of models in an element.
        let keyed = objects.levels.count > 0 ? ListBox(type, objects) : nil
        var several: [Model] = []
        // The cursor has the reader forget what it found in an element before it goes on to the next one.
        defer { reader.findings = judge.findings }
        do {
            while let place = try cursor.next(&reader) {
                if let failure = judge.failure(before: place, &cursor) {
                    batch.discard(type, &reader.lists)
                    return judge.outcome([], failure)
                }
                if batch.count == batchSize {
                    if models.isEmpty {
                        models.reserveCapacity(
                            type.likelyCount(after: batch.count, in: reader.offset(place), of: bytes.count))
                    }
                    models.append(moving: batch.start, batch.count)
                    batch.removeAll()
                }
                reader.context?.beginElement(of: cursor)
                let savepoint = session?.savepoint()
                let memory = batch.slot(type, &reader.lists)
                let end: Bytes?
                if let keyed {
                    end = reader.list(place, keyed, &several)
                } else {
                    end = objects.make(&reader, place, &entry, memory)
                }
                let isMade = end != nil && reader.isMade
                if shape == .line, let issue = cursor.issueOfLine(readTo: end) {
                    if isMade, keyed == nil { type.destroy(memory, 1) }
                    session?.rollback(to: savepoint)
                    if judge.rejects(line: issue, &cursor) { continue }
                    batch.discard(type, &reader.lists)
                    return judge.outcome([], issue)
                }
                guard let end else {
                    batch.discard(type, &reader.lists)
                    return judge.outcome([], cursor.firstIssue(in: bytes) ?? cursor.unexpected(at: place))
                }
                if judge.mustLook(at: reader), !judge.accepts(place, end, &reader, &cursor, isMade: isMade) {
                    if isMade, keyed == nil { type.destroy(memory, 1) }
                    session?.rollback(to: savepoint)
                } else if keyed != nil {
                    models += several
                } else if isMade {
                    batch.keep()
                }
                cursor.didRead(to: end)
            }
        } catch {
            // A text in memory is never read on, so what is thrown is an issue of the text.
            batch.discard(type, &reader.lists)
            let issue = (error as? MappingError)?.issues.first ?? cursor.unexpected(at: reader.window.start)
            let isBroken = issue.kind == .syntax && shape != .line
            return judge.outcome([], isBroken ? cursor.firstIssue(in: bytes) ?? issue : issue)
        }
        models.append(moving: batch.start, batch.count)
        batch.free(&reader.lists)
        return judge.outcome(models, nil)
    }
}

extension PlanReader {
    /// Reads any number of models.
    mutating func list<Model>(_ place: Bytes, _ list: ListBox, _ models: inout [Model]) -> Bytes? {
        var entry = Entry(operation: .value)
        return withUnsafeTemporaryAllocation(of: [Model].self, capacity: 1) { space in
            guard let new = space.baseAddress, let end = list.make(&self, place, &entry, Memory(new)) else {
                return nil
            }
            models = isMade ? new.move() : []
            return end
        }
    }
}
