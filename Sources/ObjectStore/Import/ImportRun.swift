import ObjectMapping

/// Reads the elements of a payload and writes their rows in batches, on one thread.
final class ImportRun {
    private let store: ManagedObjectStore
    private let batchSize: Int
    private let skipsInvalidElements: Bool
    private let progress: (@Sendable (ImportReport) -> Void)?
    private let cancellation: ImportCancellation
    /// The committed rows.
    private(set) var report: ImportReport
    private var firstPending: Int64?
    /// The objects with which rules are evaluated, by entity.
    private var scratch: [Int: ScratchObject] = [:]
    /// The current element.
    private var place: ImportPlace?
    /// The rows of all elements; `nil` unless they are the result.
    var loaded: LoadedElements?

    init(
        _ store: ManagedObjectStore, _ commit: ImportCommit, _ skipsInvalidElements: Bool,
        _ progress: (@Sendable (ImportReport) -> Void)?, _ cancellation: ImportCancellation
    ) {
        self.store = store
        batchSize = commit.batchSize
        self.skipsInvalidElements = skipsInvalidElements
        self.progress = progress
        self.cancellation = cancellation
        report = ImportReport(entities: store.entities.map(\.name))
    }

    /// Imports a text.
    ///
    /// - Parameter open: Opens the text.
    func read<Model>(
        with mapping: Mapping<Model>, at keyPath: JSONKeyPath, each shape: ElementShape,
        from open: () throws -> any ByteSource
    ) throws {
        do {
            let source = try open()
            let plan = try mapping.rowPlan()
            report.objectRules = plan.tables.flatMap(\.objectRules)
            let tables = try ImportPlan.plans(of: plan.tables, in: store)
            for table in tables where table.objectRules != nil && scratch[table.entity.index] == nil {
                scratch[table.entity.index] = ScratchObject(table.entity)
            }
            let reader = try RowReader(source: source, plan: plan, at: keyPath, shape: shape)
            while try writeBatch(of: reader, tables, shape) { progress?(report) }
            progress?(report)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw ImportError(
                error, element: place?.element, path: place?.path, at: place?.position, committed: report)
        }
    }

    /// Writes a batch in one transaction; returns false at the end of the text.
    private func writeBatch(of reader: RowReader, _ tables: [ImportPlan], _ shape: ElementShape) throws -> Bool {
        var result = Result<Bool, any Error> { false }
        var written = report
        do {
            try store.write(waits: true) { (connection) throws(StoreError) in
                // The writer is created and released here, because its statements belong to the connection.
                let writer = ImportWriter(
                    store, connection, tables, scratch, report.entities, firstPending: firstPending,
                    skipsInvalidElements: skipsInvalidElements)
                try connection.transaction { () throws(StoreError) in
                    result = Result { try write(reader, writer, &written, shape) }
                    // Rolls back; the cause is in the result.
                    if case .failure = result { throw StoreError(.interrupted, "the import failed") }
                    try connection.expireResponses(in: store) { writer.commit }
                }
                written.entities = writer.state.entities
                firstPending = writer.firstPending
                store.didCommit(by: nil) { writer.commit }
            }
        } catch {
            _ = try result.get()
            throw error
        }
        let isMore = try result.get()
        report = written
        return isMore
    }

    /// Writes elements up to the size of a batch; returns false at the end of the text.
    func write(
        _ reader: RowReader, _ writer: ImportWriter, _ report: inout ImportReport, _ shape: ElementShape
    ) throws -> Bool {
        var (count, search) = (0, SuspendedSearch?.none)
        while count < batchSize {
            try cancellation.check()
            place = nil
            let next: RowReader.Element?
            do {
                next = try reader.next()
            } catch let error as MappingError
                where skipsInvalidElements && shape == .line && error.issues.first?.kind == .syntax
            {
                _ = reader.skipBadLine()
                report.skip(error.issues)
                continue
            }
            guard let element = next else {
                try finish(writer, search)
                return false
            }
            count += 1
            try loaded?.check(element)
            if count == SuspendedSearch.manyRows {
                search = try SuspendedSearch(of: writer.tables.lazy.map(\.entity), in: writer.connection.database)
            }
            var issues = element.issues.isEmpty ? [] : element.issues.filter { !$0.isWarning }
            if issues.isEmpty { issues = writer.missingIdentities(in: element, reader) }
            do {
                if issues.isEmpty { issues = try write(element, reader, writer) }
            } catch {
                place = ImportPlace(of: element, reader)
                throw error
            }
            for index in writer.released.rows.indices.reversed() {
                guard writer.released.rows[index].place == nil else { break }
                writer.released.rows[index].place = ImportPlace(of: element, reader)
            }
            guard issues.isEmpty else {
                guard skipsInvalidElements else { throw MappingError(issues) }
                report.skip(issues)
                continue
            }
            report.elements += 1
        }
        try finish(writer, search)
        return true
    }

    /// Completes a batch.
    ///
    /// - Parameter search: The search indexes that do not contain the rows yet.
    private func finish(_ writer: ImportWriter, _ search: SuspendedSearch?) throws {
        if let taken = try writer.restoreReleased() {
            place = taken.place
            throw taken.error
        }
        try writer.finish()
        try search?.resume(writer.commit)
    }

    /// Writes an element.
    ///
    /// - Returns: The issues because of which it was not written.
    private func write(
        _ element: RowReader.Element, _ reader: RowReader, _ writer: ImportWriter
    ) throws -> [MappingIssue] {
        do {
            let row = try skipsInvalidElements ? writer.writeOrUndo(element.rows) : writer.write(element.rows)
            loaded?.add(row, of: writer.tables[Int(element.rows.rows[0].entity)].entity)
            return []
        } catch let error as RejectedObject {
            let (expected, found) = ValidationFailure.texts(of: error.cause, rejecting: "an object")
            return [
                MappingIssue(
                    kind: .invalidValue, path: reader.steps.text,
                    position: reader.position(of: error.offset, in: element), expected: expected, found: found)
            ]
        } catch let error as StoreError where skipsInvalidElements && error.concernsValues {
            return [
                MappingIssue(
                    kind: .dataSource, path: reader.steps.text, position: reader.position(of: element),
                    expected: "an object that the store can hold", found: error.message)
            ]
        }
    }
}

/// The rows of the elements of a payload, each of which is a single row.
struct LoadedElements {
    private(set) var rows = GroupedRows<Int>()

    /// An element that is only mapped to objects.
    struct Refused: Error {}

    func check(_ element: RowReader.Element) throws {
        guard element.issues.isEmpty, element.rows.rows.count == 1, element.rows.rows[0].entity >= 0 else {
            throw Refused()
        }
    }

    mutating func add(_ row: Int64, of entity: StoredEntity) { rows.append(row, of: entity.index) }
}

/// An element of a payload, and its position.
struct ImportPlace {
    let element: Int
    let path: String
    let position: TextPosition

    init(of element: RowReader.Element, _ reader: RowReader) {
        (self.element, path, position) = (element.index, reader.steps.text, reader.position(of: element))
    }
}

extension StoreError {
    /// Whether the store rejects the values of an object.
    fileprivate var concernsValues: Bool { kind == .constraint || kind == .invalidObjects }
}

extension RowReader {
    /// Returns the position of an object in an element.
    fileprivate func position(of offset: Int, in element: Element) -> TextPosition {
        var place = position(of: element)
        place.advance(over: element.raw, from: 0, to: offset - place.offset)
        return place
    }
}

extension ImportWriter {
    /// What the batch has written.
    var commit: CommitChanges {
        var commit = relationships.touched
        for (entity, first) in state.firstRows.enumerated() {
            if let first, let next = indexes[entity].next { commit.insert(first...next - 1, entity) }
        }
        return commit
    }

    /// Writes an element, or nothing of it if its values are rejected.
    fileprivate func writeOrUndo(_ element: ElementRows) throws -> Int64 {
        let row: Int64
        let (before, next, replaced) = (state, indexes.map(\.next), relationships.replacedCount)
        try connection.run("SAVEPOINT \"element\"")
        do {
            row = try write(element)
        } catch {
            guard error is RejectedObject || (error as? StoreError)?.concernsValues == true else { throw error }
            try connection.run("ROLLBACK TO \"element\"")
            try connection.run("RELEASE \"element\"")
            state = before
            relationships.undo(after: replaced)
            for (index, next) in zip(indexes, next) { index.next = next }
            // Some may no longer exist.
            forgetTargets()
            throw error
        }
        try connection.run("RELEASE \"element\"")
        return row
    }

    /// Returns an issue for each row without a value for its identity.
    fileprivate func missingIdentities(in element: RowReader.Element, _ reader: RowReader) -> [MappingIssue] {
        var issues: [MappingIssue] = []
        for index in 0..<element.rows.rows.count where element.rows.rows[index].entity >= 0 {
            let row = element.rows.rows[index]
            let table = tables[Int(row.entity)]
            let slots = RowSlots(of: row, in: element.rows)
            for index in table.rules.required.identity.indices {
                let slot = slots[table.rules.required.identity[index].slot]
                guard slot.isAbsent || slot.isNull else { continue }
                let attribute = table.rules.required.identity[index].attribute.name
                issues.append(
                    MappingIssue(
                        kind: .missing, path: reader.steps.text, position: reader.position(of: row.offset, in: element),
                        expected: "a value for \(table.entity.name).\(attribute), the identity of the object",
                        found: "no value"))
            }
        }
        return issues
    }
}
