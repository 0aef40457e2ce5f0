/// Compiles a query to SQL, with values as arguments.
///
/// A condition can be NULL, which SQLite treats as false except under NOT, for which `IS NOT TRUE` is used.
struct QuerySQL {
    let store: ManagedObjectStore
    private(set) var arguments: [StoredValue] = []
    private var aliasCount = 0

    init(_ store: ManagedObjectStore) { self.store = store }

    /// The rows of one table in a statement, with the tables joined by to-one relationships.
    final class Frame {
        let entity: StoredEntity
        let alias: String
        fileprivate var aliases: [[Int]: String] = [:]
        fileprivate(set) var joins = ""

        init(_ entity: StoredEntity, as alias: String) {
            self.entity = entity
            self.alias = alias
        }
    }

    // MARK: Statements

    func frame(of entity: StoredEntity) -> Frame { Frame(entity, as: entity.table) }

    /// Returns the statement that selects columns of the rows of a query.
    ///
    /// - Parameter columns: Returns the columns, after the conditions were compiled.
    mutating func select(
        _ query: QueryDescription, _ frame: Frame, isOrdered: Bool = true, isDistinct: Bool = false,
        columns: (inout QuerySQL) throws(StoreError) -> String
    ) throws(StoreError) -> String {
        let columns = try columns(&self)
        let condition = try text(query.condition, frame)
        var keys: [String] = []
        for key in query.sortKeys {
            keys.append(try text(key.operand, frame) + (key.isDescending ? " DESC" : ""))
        }
        // Distinct values have no row.
        if !isDistinct { keys.append("\(frame.alias).\"_id\"") }
        var sql = "SELECT \(isDistinct ? "DISTINCT " : "")\(columns) FROM \(frame.alias)\(frame.joins)"
        if condition != "1" { sql += " WHERE \(condition)" }
        if isOrdered, !keys.isEmpty { sql += " ORDER BY \(keys.joined(separator: ", "))" }
        if query.isPage {
            sql += " LIMIT ? OFFSET ?"
            arguments += [.integer(query.limit.map { Int64($0) } ?? -1), .integer(Int64(query.offset))]
        }
        return sql
    }

    /// Returns the statement for the rows of a query, as part of other statements.
    mutating func selectRows(_ query: QueryDescription, _ entity: StoredEntity) throws(StoreError) -> String {
        try select(query, frame(of: entity), isOrdered: query.isPage) { _ in "\(entity.table).\"_id\"" }
    }

    mutating func add(_ argument: StoredValue) { arguments.append(argument) }

    // MARK: Operands

    /// Returns the row at the end of a path: the column of a to-one relationship or the row of the frame.
    private mutating func row(_ path: QueryPath, _ frame: Frame) throws(StoreError) -> String {
        if let problem = path.problem { throw problem }
        guard let last = path.hops.last else { return "\(frame.alias).\"_id\"" }
        let (entity, alias) = try join(path.hops.dropLast(), frame)
        return "\(alias).\(entity.relationships[last].column)"
    }

    /// Returns the entity and the alias of the table at the end of a path of to-one relationships.
    private mutating func join(
        _ hops: ArraySlice<Int>, _ frame: Frame
    ) throws(StoreError) -> (entity: StoredEntity, alias: String) {
        var (entity, alias) = (frame.entity, frame.alias)
        for (count, hop) in hops.enumerated() {
            let relationship = entity.relationships[hop]
            let destination = store.entities[relationship.destination]
            let key = Array(hops.prefix(count + 1))
            if let known = frame.aliases[key] {
                alias = known
            } else {
                let joined = nextAlias()
                frame.joins +=
                    " LEFT JOIN \(destination.table) AS \(joined) ON \(joined).\"_id\" = \(alias).\(relationship.column)"
                frame.aliases[key] = joined
                alias = joined
            }
            entity = destination
        }
        return (entity, alias)
    }

    private mutating func nextAlias() -> String {
        aliasCount += 1
        return "\"_\(aliasCount)\""
    }

    /// Returns the SQL of a value; texts of decimals have a collation that compares them as numbers.
    mutating func text(_ operand: QueryOperand, _ frame: Frame) throws(StoreError) -> String {
        if let problem = operand.path.problem { throw problem }
        switch operand.target {
        case .attribute(let attribute):
            let alias = try join(operand.path.hops[...], frame).alias
            let column = "\(alias).\(Schema.quoted(attribute.name))"
            if operand.isDecimal { return "\(column) COLLATE \(StoreFunctions.decimal)" }
            guard !operand.folding.isEmpty else { return column }
            return "\(StoreFunctions.fold)(\(column), \(operand.folding.rawValue))"
        case .count(let relationship):
            var path = operand.path
            path.hops.append(relationship)
            let (from, link, _) = try related(path, frame)
            return "(SELECT count(*) FROM \(from) WHERE \(link))"
        }
    }

    /// Returns the table at the end of a path, whose last relationship is to-many, and the condition that links it to
    /// the frame.
    private mutating func related(
        _ path: QueryPath, _ frame: Frame
    ) throws(StoreError) -> (from: String, link: String, frame: Frame) {
        if let problem = path.problem { throw problem }
        var source = path
        guard let last = source.hops.popLast() else { throw StoreError(.misuse, "the relationship is missing") }
        var entity = frame.entity
        for hop in source.hops { entity = store.entities[entity.relationships[hop].destination] }
        let relationship = entity.relationships[last]
        let destination = store.entities[relationship.destination]
        let alias = nextAlias()
        let target = "\(destination.table) AS \(alias)"
        let inner = Frame(destination, as: alias)
        switch relationship.storage {
        case .column, .mirror:
            return (target, "\(alias).\"_id\" = \(try row(path, frame))", inner)
        case .inverseColumn(let inverse):
            // The relationship may have another index in the file than in the class.
            let column = destination.relationships[relationship.inverse ?? inverse].column
            return (target, "\(alias).\(column) = \(try row(source, frame))", inner)
        case .joinTable, .linkTable:
            guard let table = relationship.storage.linkTable else { throw StoreError(.misuse, "the link is missing") }
            let link = nextAlias()
            let from = "\(table.name) AS \(link) JOIN \(target) ON \(alias).\"_id\" = \(link).\(table.target)"
            return (from, "\(link).\(table.source) = \(try row(source, frame))", inner)
        }
    }

    // MARK: Conditions

    mutating func text(_ node: QueryNode, _ frame: Frame) throws(StoreError) -> String {
        switch node {
        case .constant(let isTrue): return isTrue ? "1" : "0"
        case .every(let nodes): return try text(nodes, "AND", frame)
        case .some(let nodes): return try text(nodes, "OR", frame)
        case .not(let node): return "(\(try text(node, frame))) IS NOT TRUE"
        case .comparison(let operand, let comparison, let value):
            return try text(operand, comparison, value, frame)
        case .operands(let a, let comparison, let b):
            let (left, right) = (try text(a, frame), try text(b, frame))
            return "\(left) \(comparison == .equal ? "IS" : comparison.rawValue) \(right)"
        case .membership(let operand, let values): return try text(operand, isIn: values, frame)
        case .text(let operand, let test, let argument): return try text(operand, test, argument, frame)
        case .objects(let path, let ids):
            let rows = try ids.map { id throws(StoreError) in try store.savedRow(of: id) }.compactMap(\.self)
            return try text(rows, path, frame)
        case .rows(let path, let rows): return try text(rows, path, frame)
        case .missing(let path): return "\(try row(path, frame)) IS NULL"
        case .any(let path, let node):
            let (from, link, inner) = try related(path, frame)
            let condition = try text(node, inner)
            return
                "EXISTS (SELECT 1 FROM \(from)\(inner.joins) WHERE \(link)\(condition == "1" ? "" : " AND \(condition)"))"
        case .invalid(let problem): throw problem
        }
    }

    private mutating func text(
        _ nodes: [QueryNode], _ connective: String, _ frame: Frame
    ) throws(StoreError) -> String {
        var parts: [String] = []
        for node in nodes { parts.append(try text(node, frame)) }
        guard !parts.isEmpty else { return connective == "AND" ? "1" : "0" }
        return "(\(parts.joined(separator: " \(connective) ")))"
    }

    private mutating func text(
        _ operand: QueryOperand, _ comparison: QueryComparison, _ value: StoredValue, _ frame: Frame
    ) throws(StoreError) -> String {
        let left = try text(operand, frame)
        guard value.isNull else {
            arguments.append(value)
            return "\(left) \(comparison.rawValue) ?"
        }
        return switch comparison {
        case .equal: "\(left) IS NULL"
        case .notEqual: "\(left) IS NOT NULL"
        case .less, .lessOrEqual, .greater, .greaterOrEqual: "0"
        }
    }

    private mutating func text(
        _ operand: QueryOperand, isIn values: [StoredValue], _ frame: Frame
    ) throws(StoreError) -> String {
        let left = try text(operand, frame)
        let present = values.filter { !$0.isNull }
        let integers = present.compactMap(\.integer)
        var parts: [String] = []
        if !present.isEmpty {
            if integers.count == present.count {
                arguments.append(.rows(integers[...]))
                parts.append("\(left) IN (SELECT value FROM json_each(?))")
            } else {
                arguments += present
                parts.append("\(left) IN (\(present.map { _ in "?" }.joined(separator: ", ")))")
            }
        }
        // The operand has no arguments, so it can be repeated.
        if present.count < values.count { parts.append("\(left) IS NULL") }
        return parts.isEmpty ? "0" : "(\(parts.joined(separator: " OR ")))"
    }

    private mutating func text(
        _ rows: [Int64], _ path: QueryPath, _ frame: Frame
    ) throws(StoreError) -> String {
        let row = try row(path, frame)
        guard rows.count == 1 else {
            arguments.append(.rows(rows[...]))
            return "\(row) IN (SELECT value FROM json_each(?))"
        }
        arguments.append(.integer(rows[0]))
        return "\(row) = ?"
    }

    private mutating func text(
        _ operand: QueryOperand, _ test: QueryTextTest, _ argument: String, _ frame: Frame
    ) throws(StoreError) -> String {
        var operand = operand
        let folding = operand.folding
        if case .matches = test { operand.folding = [] }
        let left = try text(operand, frame)
        switch test {
        case .prefix:
            // A range can use an index.
            guard !argument.isEmpty else { return "\(left) IS NOT NULL" }
            arguments.append(.text(argument))
            guard let end = argument.firstTextWithoutPrefix else { return "\(left) >= ?" }
            arguments.append(.text(end))
            return "(\(left) >= ? AND \(left) < ?)"
        case .suffix:
            let bytes = Array(argument.utf8)
            guard !bytes.isEmpty else { return "\(left) IS NOT NULL" }
            arguments.append(.blob(bytes))
            return "substr(CAST(\(left) AS BLOB), -\(bytes.count)) = ?"
        case .contains:
            arguments.append(.text(argument))
            return "instr(\(left), ?) > 0"
        case .like:
            arguments.append(.text(argument))
            return "\(StoreFunctions.like)(\(left), ?)"
        case .matches:
            arguments.append(.text(argument))
            return "\(StoreFunctions.matches)(\(left), ?, \(folding.rawValue))"
        }
    }
}

extension String {
    /// Returns the first text after all texts with a prefix, by their bytes; `nil` if no text is greater.
    fileprivate var firstTextWithoutPrefix: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            // Surrogates are not scalars.
            guard let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1) else { continue }
            scalars.append(next)
            return String(String.UnicodeScalarView(scalars))
        }
        return nil
    }
}

extension ManagedObjectStore {
    /// Returns the row of an object; `nil` if it was not saved.
    func savedRow(of id: ObjectID) throws(StoreError) -> Int64? {
        guard id.store == number else {
            throw StoreError(.misuse, "the object \(id) belongs to another store", entity: id.entity)
        }
        return row(of: id)
    }
}
