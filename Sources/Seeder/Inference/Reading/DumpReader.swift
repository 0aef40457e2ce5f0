import ObjectMapping

/// Reads a dump's collections element by element into statistics.
struct DumpReader {
    let file: String
    let input: InputFile
    let meter: ProgressMeter?

    /// Returns the collections of the dump, and its other values.
    func collections() throws(SeedError) -> (collections: [DumpCollection], beside: [UnreadPlace]) {
        let areLines = usualShape(of: file) == .line
        let outline = try reading(.element) { () throws in
            try DumpOutline(of: try input.text(meter: nil), readsArray: areLines)
        }
        guard let root = outline.root else { return ([DumpCollection(path: [], shape: usualShape(of: file))], []) }
        // The content decides: many dumps of lines are called .json, and arrays have the names of lines.
        let hasLines = areLines ? outline.isFollowed || root.kind != .array : outline.isFollowed && root.kind == .object
        return hasLines ? ([DumpCollection(path: [], shape: .line)], []) : DumpCollection.collections(in: root)
    }

    /// Reads the elements of collections, in the order of the text.
    func statistics(of collections: [DumpCollection]) throws(SeedError) -> [CollectionStatistics] {
        guard collections.count > 1, collections.allSatisfy({ $0.range != nil }) else {
            var statistics: [CollectionStatistics] = []
            for collection in collections { statistics.append(try self.statistics(of: collection)) }
            return statistics
        }
        let slices = try reading(.element) { () throws in TextSlices(try input.text(meter: meter)) }
        var statistics: [CollectionStatistics] = []
        defer { input.close() }
        for collection in collections {
            let range = collection.range ?? 0..<0
            do {
                statistics.append(
                    try self.statistics(
                        of: collection, at: "", in: slices.slice(range),
                        windowSize: min(max(range.count, 4096), 256 << 10)))
            } catch let error as SeedError {
                throw error
            } catch {
                // When reading from the start, the error has its position.
                _ = try self.statistics(of: collection)
                return try reading(collection.shape) { () throws in throw error }
            }
        }
        return statistics
    }

    private func statistics(of collection: DumpCollection) throws(SeedError) -> CollectionStatistics {
        try reading(collection.shape) { () throws in
            try statistics(
                of: collection, at: collection.keyPath, in: try input.text(meter: meter), windowSize: 256 << 10)
        }
    }

    private func statistics(
        of collection: DumpCollection, at keyPath: JSONKeyPath, in text: some ByteSource, windowSize: Int
    ) throws -> CollectionStatistics {
        let statistics = CollectionStatistics()
        let whole = RowAttribute(name: "", type: AttributeType(.json), source: .path(""))
        let entity = RowEntity(name: "element", attributes: collection.holdsValues ? [whole] : [], relationships: [])
        let reader = try RowReader(
            source: text, plan: RowPlan(entities: [entity]), entity: 0, at: keyPath, shape: collection.shape,
            windowSize: windowSize)
        while let element = try reader.next() {
            try checkInterruption()
            guard element.isSound else { throw MappingError(element.issues.filter { !$0.isWarning }) }
            let key: String? =
                if collection.shape == .member, case .key(let key)? = reader.steps.last { key } else { nil }
            statistics.observe(try JSON(ShortenedText(element.raw).bytes), key: key, isValue: collection.holdsValues)
        }
        return statistics
    }

    private func reading<Result>(_ shape: ElementShape, _ body: () throws -> Result) throws(SeedError) -> Result {
        defer { input.close() }
        do { return try body() } catch let error as SeedError { throw error } catch let error as MappingError {
            let advice = error.issues.first?.adviceOnShape(shape)
            throw input.damage() ?? SeedError(.badData, issues: input.seedIssues(error.issues), advice: advice)
        } catch { throw SeedError(.inputOutput, "cannot read \(input.name): \(error)") }
    }
}
