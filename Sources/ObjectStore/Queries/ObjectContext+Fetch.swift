// Calls that return objects are disfavored. Otherwise, the compiler selects the asynchronous form in
// `perform { try $0.fetch(…) }`, and its error is about concurrency instead of objects that leave the closure.

extension ObjectContext {
    /// Returns the objects of a query, including unsaved changes of the context.
    ///
    /// ```swift
    /// let tasks = try context.fetch(ProjectTask.where { $0.name.hasPrefix("Build") }.sorted(by: \.name))
    /// ```
    ///
    /// - Throws: `StoreError`, of kind `misuse` if the query uses a property that is not stored.
    @_disfavoredOverload public func fetch<Object>(_ query: ObjectQuery<Object>) throws(StoreError) -> [Object] {
        try core.fetch(query.definition, core.store.entity(of: query)).known(as: Object.self)
    }

    /// Returns the first object of a query, including unsaved changes of the context; `nil` if no object matches.
    @_disfavoredOverload public func fetchFirst<Object>(_ query: ObjectQuery<Object>) throws(StoreError) -> Object? {
        query.definition.limit == 0 ? nil : try fetch(query.limit(1)).first
    }

    /// Returns the objects of an SQL statement, which selects their rows.
    ///
    /// The statement applies to the store only, without unsaved changes.
    ///
    /// ```swift
    /// let sql = #"SELECT "_id" FROM "ProjectTask" WHERE length("name") > ? ORDER BY "name""#
    /// let tasks = try context.fetch(ProjectTask.self, sql: sql, arguments: [20])
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - sql: One statement whose first column is `_id` of the entity's table.
    ///   - arguments: The values of its parameters, in order.
    /// - Throws: `StoreError`, of kind `misuse` if SQLite rejects the statement.
    @_disfavoredOverload public func fetch<Object: ManagedObjectClass>(
        _ type: Object.Type, sql: String, arguments: [StoredValue] = []
    ) throws(StoreError) -> [Object] {
        try core.prepareFetch()
        let entity = try core.store.entity(of: type)
        let rows = try core.values(sql, arguments).map { values throws(StoreError) in
            guard let row = values.first?.integer else {
                throw StoreError(
                    .misuse, "expected row numbers in the first column, found \(values.first ?? .null)",
                    advice: "select \"_id\" of the table \(entity.table) first", sql: sql)
            }
            return row
        }
        var objects: [Int64: ManagedObject] = [:]
        for object in try core.read(entity, rows: Array(Set(rows)).sorted(), isFetch: true) {
            objects[object.row] = object
        }
        return rows.compactMap { objects[$0] as? Object }
    }

    /// Returns the number of objects of a query in the store, without unsaved changes.
    public func count<Object>(_ query: ObjectQuery<Object>) throws(StoreError) -> Int {
        try core.prepareFetch()
        let entity = try core.store.entity(of: query)
        var sql = QuerySQL(core.store)
        let isPage = query.definition.isPage
        let text = try sql.select(query.definition, sql.frame(of: entity), isOrdered: false) { _ in
            isPage ? "1" : "count(*)"
        }
        let rows = try core.values(isPage ? "SELECT count(*) FROM (\(text))" : text, sql.arguments)
        return Int(rows.first?.first?.integer ?? 0)
    }

    /// Returns the IDs of the objects of a query in the store, without unsaved changes.
    public func ids<Object>(_ query: ObjectQuery<Object>) throws(StoreError) -> [ObjectID] {
        try core.prepareFetch()
        let entity = try core.store.entity(of: query)
        return try core.rows(query.definition, entity).map {
            ObjectID(entity: entity.name, row: $0, store: core.store.identity)
        }
    }

    /// Returns the attribute values of the objects of a query in the store, without unsaved changes.
    ///
    /// Snapshots can be passed to other threads, and cost less than objects.
    public func snapshots<Object>(_ query: ObjectQuery<Object>) throws(StoreError) -> [Snapshot<Object>] {
        try core.prepareFetch()
        let entity = try core.store.entity(of: query)
        var sql = QuerySQL(core.store)
        let text = try sql.select(query.definition, sql.frame(of: entity)) { _ in
            (["\"_id\""] + entity.columnNames).map { "\(entity.table).\($0)" }.joined(separator: ", ")
        }
        return try core.values(text, sql.arguments).map { columns throws(StoreError) in
            var values = entity.type.attributes.map(\.defaultValue)
            for index in entity.columnNames.indices { values[index] = columns[index + 1] }
            let row = columns[0].integer ?? 0
            try RowMarks.check(row, in: entity.name)
            return Snapshot(
                id: ObjectID(entity: entity.name, row: row, store: core.store.identity), type: entity.type,
                values: values)
        }
    }

    /// Returns the values of one attribute of the objects of a query in the store, without unsaved changes.
    ///
    /// ```swift
    /// let names = try context.values(of: \.name, ProjectTask.all.sorted(by: \.name).distinct())
    /// ```
    public func values<Object, Value>(
        of property: KeyPath<Object, Value>, _ query: ObjectQuery<Object>
    ) throws(StoreError) -> [Value] {
        try core.prepareFetch()
        let entity = try core.store.entity(of: query)
        let operand = QueryObject<Object, Object>(path: QueryPath())[dynamicMember: property].operand
        if let problem = operand.path.problem { throw problem }
        guard case .attribute(let attribute) = operand.target, let typed = attribute as? TypedAttribute<Value> else {
            throw .notStored(property, of: entity.name)
        }
        var sql = QuerySQL(core.store)
        let isDistinct = query.definition.isDistinct
        let frame = sql.frame(of: entity)
        let text = try sql.select(query.definition, frame, isDistinct: isDistinct) { (sql) throws(StoreError) in
            try sql.text(operand, frame)
        }
        return try core.values(text, sql.arguments).map { [core] columns throws(StoreError) in
            // Null is read as the default of a property that cannot be `nil`.
            if let value = typed.decode(columns[0]) { return value }
            if columns[0].isNull { return Object()[keyPath: property] }
            let column = Schema.quoted(attribute.name)
            let row = try core.values(
                "SELECT \"_id\" FROM \(entity.table) WHERE \(column) IS ? LIMIT 1", [columns[0]]
            ).first?[0].integer
            throw .unreadable(attribute, inRow: row, of: entity)
        }
    }

    /// Returns how SQLite executes a query: the statement, and the output of `EXPLAIN QUERY PLAN`.
    ///
    /// ```swift
    /// print(try context.explain(ProjectTask.where { $0.name.hasPrefix("Build") }))
    /// // SELECT … FROM "ProjectTask" WHERE ("ProjectTask"."name" >= ? AND "ProjectTask"."name" < ?) …
    /// // - SEARCH ProjectTask USING INDEX … (name>? AND name<?)
    /// ```
    public func explain<Object>(_ query: ObjectQuery<Object>) throws(StoreError) -> String {
        try core.prepareFetch()
        let entity = try core.store.entity(of: query)
        var sql = QuerySQL(core.store)
        let text = try sql.select(query.definition, sql.frame(of: entity)) { _ in entity.statements.selection }
        var depths: [StoredValue: Int] = [:]
        var lines = [text]
        for row in try core.values("EXPLAIN QUERY PLAN \(text)", sql.arguments) {
            let depth = depths[row[1]].map { $0 + 1 } ?? 0
            depths[row[0]] = depth
            lines.append(String(repeating: "  ", count: depth) + "- " + (row[3].text ?? ""))
        }
        return lines.joined(separator: "\n")
    }
}

extension StoreError {
    /// The error for a value of another program that is not of the property's type.
    static func unreadable(_ attribute: ManagedAttribute, inRow row: Int64?, of entity: StoredEntity) -> StoreError {
        StoreError(
            .corrupt,
            "\(row.map { "row \($0) of " } ?? "")'\(entity.name)': the value of the column '\(attribute.name)' cannot be "
                + "read as \(attribute.typeName)",
            advice: "correct the value in the file, such as with write(sql:), or change the type of the property",
            entity: entity.name)
    }
}
