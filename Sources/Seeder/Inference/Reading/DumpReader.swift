import ObjectMapping

/// Reads a dump's collections element by element into statistics.
struct DumpReader {
    let file: String
    let input: InputFile
    let meter: ProgressMeter?

    /// What is in the dump.
    func outline() throws(SeedError) -> OutlineNode? {
        try reading { () throws in try DumpOutline.outline(of: try input.text(meter: nil)) }
    }

    /// Reads the elements of a collection.
    func statistics(of collection: DumpCollection) throws(SeedError) -> CollectionStatistics {
        let statistics = CollectionStatistics()
        try reading { () throws in
            let whole = RowAttribute(name: "", type: AttributeType(.json), source: .path(""))
            let entity = RowEntity(
                name: "element", attributes: collection.holdsValues ? [whole] : [], relationships: [])
            let reader = try RowReader(
                source: try input.text(meter: meter), plan: RowPlan(entities: [entity]), entity: 0,
                at: collection.keyPath, shape: collection.shape)
            while let element = try reader.next() {
                try checkInterruption()
                guard element.isSound else { throw MappingError(element.issues.filter { !$0.isWarning }) }
                let key: String? =
                    if collection.shape == .member, case .key(let key)? = reader.steps.last { key } else { nil }
                statistics.observe(try JSON(Array(element.raw)), key: key, isValue: collection.holdsValues)
            }
        }
        return statistics
    }

    private func reading<Result>(_ body: () throws -> Result) throws(SeedError) -> Result {
        defer { input.close() }
        do { return try body() } catch let error as SeedError { throw error } catch let error as MappingError {
            // An element a line is a text of its own each, which only the file's name tells.
            let areLines = error.issues.first?.expected == "the end of the text" && !isNewlineDelimited(file)
            let remedy = file == "-" ? "write it to a file with" : "give it"
            let advice = areLines ? "If it holds one element a line, \(remedy) a name that ends in .ndjson." : nil
            throw input.damage() ?? SeedError(.badData, issues: input.seedIssues(error.issues), advice: advice)
        } catch { throw SeedError(.inputOutput, "cannot read \(input.name): \(error)") }
    }
}
