/// Compiles a query to SQL, with values as arguments.
///
/// A condition can be NULL, which SQLite treats as false except under NOT, for which `IS NOT TRUE` is used.
struct QuerySQL {
    let store: ManagedObjectStore
    /// The values of the parameters.
    private var values: [StoredValue] = []
    /// Whether one parameter has all values: SQLite supports a limited number, and needs quadratic time for many.
    private var isPacked = false
    private var aliasCount = 0
    static let maximumOfParameters = 500

    init(_ store: ManagedObjectStore) { self.store = store }

    /// The arguments of the statement.
    var arguments: [StoredValue] { isPacked ? [PackedValues.pack(values)] : values }

    /// Adds a value and returns its SQL.
    mutating func bind(_ value: StoredValue) -> String {
        values.append(value)
        return isPacked ? "\(StoreFunctions.value)(?1, \(values.count - 1))" : "?"
    }

    /// The rows of one table in a statement, with the tables joined by to-one relationships.
    final class Frame {
        let entity: StoredEntity
        let alias: String
        fileprivate var aliases: [[Int]: String] = [:]
        fileprivate(set) var joins = ""
        /// The step of the condition by which rows are ranked, and the table with their ranks.
        var ranking: (step: Int, table: String)?

        /// The tables of a statement.
        var tables: String {
            guard let ranking else { return alias + joins }
            // A cross join, so that SQLite searches first.
            return "\(ranking.table) CROSS JOIN \(alias) ON \(alias).\"_id\" = \(ranking.table).rowid\(joins)"
        }

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
        if isOrdered, !isDistinct, query.sortKeys.isEmpty { try rank(query.condition, frame) }
        let condition = try condition(query.condition, frame)
        var keys: [String] = []
        for key in query.sortKeys {
            keys.append(try text(key.operand, frame) + (key.isDescending ? " DESC" : ""))
        }
        // Distinct values have no row. FTS5 returns rows of one rank in their order.
        if let ranking = frame.ranking {
            keys.append("\(ranking.table).rank")
        } else if !isDistinct {
            keys.append("\(frame.alias).\"_id\"")
        }
        var sql = "SELECT \(isDistinct ? "DISTINCT " : "")\(columns) FROM \(frame.tables)"
        sql += condition
        if isOrdered, !keys.isEmpty { sql += " ORDER BY \(keys.joined(separator: ", "))" }
        return sql + page(query)
    }

    private mutating func page(_ query: QueryDescription) -> String {
        guard query.isPage else { return "" }
        return
            " LIMIT \(bind(.integer(query.limit.map { Int64($0) } ?? -1))) OFFSET \(bind(.integer(Int64(query.offset))))"
    }

    /// Returns the statement for the rows of a query.
    ///
    /// - Parameter isOrdered: Whether they have the order of the query; not as a part of other statements. Defaults to `true`.
    mutating func selectRows(
        _ query: QueryDescription, _ entity: StoredEntity, isOrdered: Bool = true
    ) throws(StoreError) -> String {
        if isOrdered, query.sortKeys.isEmpty, let search = try FlatCondition(query.condition).onlyRankedSearch {
            // The index has the rows; looking them up in the table takes half of the time.
            return "SELECT rowid FROM \(try searched(by: search, entity)) ORDER BY rank" + page(query)
        }
        return try select(query, frame(of: entity), isOrdered: isOrdered) { _ in "\(entity.table).\"_id\"" }
    }

    /// Returns the statement for the rows of an entity from which a path of any relationships leads to other rows.
    mutating func selectRows(
        of entity: StoredEntity, from rows: [Int64], at path: [Int]
    ) throws(StoreError) -> String {
        let first = Frame(entity, as: nextAlias())
        var (frame, tables, conditions) = (first, ["\(entity.table) AS \(first.alias)"], [String]())
        for hop in path {
            let (from, link, next) = try related(QueryPath(hops: [hop]), frame)
            tables.append(from)
            conditions.append(link)
            frame = next
        }
        conditions.append("\(frame.alias).\"_id\" IN (SELECT value FROM json_each(\(bind(.rows(rows[...])))))")
        return "SELECT DISTINCT \(first.alias).\"_id\" FROM \(tables.joined(separator: ", ")) "
            + "WHERE \(conditions.joined(separator: " AND "))"
    }

    // MARK: Operands

    /// Returns the row at the end of a path: the column of a to-one relationship or the row of the frame.
    mutating func row(_ path: QueryPath, _ frame: Frame) throws(StoreError) -> String {
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
        return "\"_mappingkit_\(aliasCount)\""
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
        case .length(let attribute):
            let alias = try join(operand.path.hops[...], frame).alias
            return "\(StoreFunctions.count)(\(alias).\(Schema.quoted(attribute.name)))"
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
            guard let table = relationship.linkTable else { throw StoreError(.misuse, "the link is missing") }
            let link = nextAlias()
            let from = "\(table.name) AS \(link) JOIN \(target) ON \(alias).\"_id\" = \(link).\(table.target)"
            return (from, "\(link).\(table.source) = \(try row(source, frame))", inner)
        }
    }

    // MARK: Conditions

    /// Returns the clause for a condition, which is empty if all rows meet it.
    mutating func condition(_ condition: QueryNode, _ frame: Frame) throws(StoreError) -> String {
        let condition = try FlatCondition(condition)
        if condition.isConstantTrue { return "" }
        isPacked = condition.valueCount > Self.maximumOfParameters
        let text = try text(condition, frame)
        // SQLite's planner compares the terms of a long condition in pairs, unless they are operands.
        return condition.steps.count > Self.maximumOfParameters ? " WHERE (\(text)) IS TRUE" : " WHERE \(text)"
    }

    private struct Group {
        let step: Int
        /// The tables of a to-many relationship, their condition, and the frame of the condition around it.
        var related: (from: String, link: String, outer: Frame)?
    }

    private mutating func text(_ condition: FlatCondition, _ frame: Frame) throws(StoreError) -> String {
        var frame = frame
        var open: [Group] = []
        // The text of the condition, and those of conditions of to-many relationships in it.
        var texts = [""]
        for (index, step) in condition.steps.enumerated() {
            if let group = open.last, index > group.step + 1 {
                let isEvery = if case .every = condition.steps[group.step].kind { true } else { false }
                texts[texts.count - 1] += isEvery ? " AND " : " OR "
            }
            switch step.kind {
            case .test(.search(_, let attribute, let search)) where frame.ranking?.step == index:
                let searched = FlatCondition.Search(step: index, attribute: attribute, text: search)
                texts[texts.count - 1] += try match(searched, frame.entity)
            case .test(let test): texts[texts.count - 1] += try text(test, frame)
            case .every, .some, .not:
                texts[texts.count - 1] += "("
                open.append(Group(step: index))
            case .any(let path):
                let (from, link, inner) = try related(path, frame)
                open.append(Group(step: index, related: (from, link, frame)))
                frame = inner
                texts.append("")
            }
            while let group = open.last, condition.steps[group.step].end == index + 1 {
                open.removeLast()
                if let (from, link, outer) = group.related {
                    let text = texts.removeLast()
                    texts[texts.count - 1] += "EXISTS (SELECT 1 FROM \(from)\(frame.joins) WHERE \(link) AND \(text))"
                    frame = outer
                } else if case .not = condition.steps[group.step].kind {
                    texts[texts.count - 1] += ") IS NOT TRUE"
                } else {
                    texts[texts.count - 1] += ")"
                }
            }
        }
        return texts[0]
    }

    private mutating func text(_ test: QueryTest, _ frame: Frame) throws(StoreError) -> String {
        switch test {
        case .constant(let isTrue): return isTrue ? "1" : "0"
        case .comparison(let operand, let comparison, let value):
            return try text(operand, comparison, value, frame)
        case .operands(let a, let comparison, let b):
            let (left, right) = (try text(a, frame), try text(b, frame))
            return "\(left) \(comparison == .equal ? "IS" : comparison.rawValue) \(right)"
        case .membership(let operand, let values): return try text(operand, isIn: values, frame)
        case .text(let operand, let test, let argument): return try text(operand, test, argument, frame)
        case .element(let operand, let element):
            let list = try text(operand, frame)
            return "\(StoreFunctions.contains)(\(list), \(bind(.text(element))), \(operand.isDecimalList ? 1 : 0))"
        case .objects(let path, let ids):
            var rows: [Int64] = []
            for id in ids { if let row = try store.savedRow(of: id) { rows.append(row) } }
            let row = try row(path, frame)
            if rows.count == 1 { return "\(row) = \(bind(.integer(rows[0])))" }
            return "\(row) IN (SELECT value FROM json_each(\(bind(.rows(rows[...])))))"
        case .missing(let path): return "\(try row(path, frame)) IS NULL"
        case .search(let path, let attribute, let search): return try text(path, attribute, search, frame)
        case .invalid(let problem): throw problem
        }
    }

    private mutating func text(
        _ operand: QueryOperand, _ comparison: QueryComparison, _ value: StoredValue, _ frame: Frame
    ) throws(StoreError) -> String {
        let left = try text(operand, frame)
        guard value.isNull else {
            return "\(left) \(comparison.rawValue) \(bind(value))"
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
        var parts: [String] = []
        if let integers = QueryTest.integers(present) {
            parts.append("\(left) IN (SELECT value FROM json_each(\(bind(.rows(integers[...])))))")
        } else if isPacked, present.count > 1 {
            let first = self.values.count
            self.values += present
            parts.append(
                "\(left) IN (WITH RECURSIVE \"_mappingkit_list\"(\"i\") AS (VALUES(\(first)) UNION ALL "
                    + "SELECT \"i\" + 1 FROM \"_mappingkit_list\" WHERE \"i\" < \(self.values.count - 1)) "
                    + "SELECT \(StoreFunctions.value)(?1, \"i\") FROM \"_mappingkit_list\")")
        } else if !present.isEmpty {
            var arguments: [String] = []
            for value in present { arguments.append(bind(value)) }
            parts.append("\(left) IN (\(arguments.joined(separator: ", ")))")
        }
        // The operand has no arguments, so it can be repeated.
        if present.count < values.count { parts.append("\(left) IS NULL") }
        return parts.isEmpty ? "0" : "(\(parts.joined(separator: " OR ")))"
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
            let start = "\(left) >= \(bind(.text(argument)))"
            guard let end = argument.firstTextWithoutPrefix else { return start }
            return "(\(start) AND \(left) < \(bind(.text(end))))"
        case .suffix:
            let bytes = Array(argument.utf8)
            guard !bytes.isEmpty else { return "\(left) IS NOT NULL" }
            return "substr(CAST(\(left) AS BLOB), -\(bytes.count)) = \(bind(.blob(bytes)))"
        case .contains:
            return "instr(\(left), \(bind(.text(argument)))) > 0"
        case .like:
            return "\(StoreFunctions.like)(\(left), \(bind(.text(argument))))"
        case .matches:
            return "\(StoreFunctions.matches)(\(left), \(bind(.text(argument))), \(folding.rawValue))"
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
        guard id.store == identity else {
            throw StoreError(.misuse, "the object \(id) belongs to another store", entity: id.entity)
        }
        return identity.row(of: id)
    }
}
