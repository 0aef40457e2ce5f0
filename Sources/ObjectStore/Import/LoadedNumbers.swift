import ObjectMapping

/// The rows of the elements of a payload.
struct LoadedNumbers {
    /// The rows of the elements, in their order.
    private(set) var elements = GroupedRows<Int>()
    /// The rows of all objects, by entity, in any order.
    private(set) var all: [Int: RowRuns] = [:]
    /// The number of runs from which those of an entity are joined.
    private var limits: [Int: Int] = [:]

    /// An element that is only mapped to objects: with issues, without a row, or without any mapped key.
    struct Refused: Error {}

    func check(_ element: RowReader.Element) throws {
        guard element.issues.isEmpty, element.rows.rows.count > 0, element.rows.rows[0].entity >= 0 else {
            throw Refused()
        }
    }

    /// Adds the rows of an element.
    ///
    /// - Parameter row: The number of its only row.
    mutating func add(_ element: ElementRows, _ row: Int64, _ writer: ImportWriter) {
        for index in 0..<element.rows.count where element.rows[index].entity >= 0 {
            let number = element.rows.count == 1 ? row : writer.numbers[index].number
            let entity = writer.tables[Int(element.rows[index].entity)].entity.index
            if element.rows[index].parent < 0 { elements.append(number, of: entity) }
            add(number, entity)
        }
    }

    private mutating func add(_ row: Int64, _ entity: Int) {
        all[entity, default: RowRuns()].append(row)
        // Many elements can have the same nested objects.
        guard let count = all[entity]?.runs.count, count > limits[entity] ?? Self.manyRuns, let rows = all[entity]
        else {
            return
        }
        let joined = rows.sorted()
        (all[entity], limits[entity]) = (joined, max(Self.manyRuns, 2 * joined.runs.count))
    }

    private static var manyRuns: Int { 4096 }
}
