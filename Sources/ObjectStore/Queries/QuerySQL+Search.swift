/// Searches by text.
extension QuerySQL {
    /// Ranks the rows of a statement by the search in its condition, if there is one.
    mutating func rank(_ condition: QueryNode, _ frame: Frame) throws(StoreError) {
        let condition = try FlatCondition(condition)
        // A long condition is an operand, in which FTS5 cannot search.
        guard condition.steps.count <= Self.maximumOfParameters, let search = condition.rankedSearch else { return }
        frame.ranking = (search.step, try SearchIndex.index(of: frame.entity).table)
    }

    /// Returns the index of a search with its condition.
    mutating func searched(by search: FlatCondition.Search, _ entity: StoredEntity) throws(StoreError) -> String {
        "\(try SearchIndex.index(of: entity).table) WHERE \(try match(search, entity))"
    }

    /// Returns the condition of a statement that is ranked.
    mutating func match(_ search: FlatCondition.Search, _ entity: StoredEntity) throws(StoreError) -> String {
        let index = try SearchIndex.index(of: entity)
        return "\(index.match)\(bind(.text(try index.expression(search, of: entity))))"
    }

    /// Returns the condition that the object at the end of a path is found by a search.
    mutating func text(
        _ path: QueryPath, _ attribute: String?, _ search: SearchText, _ frame: Frame
    ) throws(StoreError) -> String {
        let row = try row(path, frame)
        let entity = path.hops.reduce(frame.entity) { store.entities[$0.relationships[$1].destination] }
        let index = try SearchIndex.index(of: entity)
        var parts: [String] = []
        for (expression, isFound) in [(search.match, "IN"), (search.mismatch, "NOT IN")] {
            guard let expression else { continue }
            let match = bind(.text(try index.expression(expression, in: attribute, of: entity)))
            // A missing object is not found, even if no object has the words.
            let exists = isFound == "IN" || path.hops.isEmpty ? "" : "\(row) IS NOT NULL AND "
            let found = "SELECT rowid FROM \(index.table) WHERE \(index.match)\(match)"
            parts.append("\(exists)\(row) \(isFound) (\(found))")
        }
        return parts.isEmpty ? "0" : "(\(parts.joined(separator: " OR ")))"
    }
}

extension SearchIndex {
    /// Returns the search index of an entity.
    ///
    /// - Throws: `StoreError` of kind `misuse` if it has none.
    static func index(of entity: StoredEntity) throws(StoreError) -> SearchIndex {
        guard let index = SearchIndex(of: entity.description) else {
            throw StoreError(
                .misuse, "'\(entity.name)' has no searchable attribute",
                advice: "declare attributes with @Stored(.searchable)", entity: entity.name)
        }
        return index
    }

    /// Returns the expression of FTS5 for a search by which rows are ranked.
    func expression(_ search: FlatCondition.Search, of entity: StoredEntity) throws(StoreError) -> String {
        try expression(search.text.ranked ?? "", in: search.attribute, of: entity)
    }

    /// Returns an expression of FTS5 for all attributes or one of them.
    func expression(
        _ text: String, in attribute: String?, of entity: StoredEntity
    ) throws(StoreError) -> String {
        if let expression = expression(text, in: attribute) { return expression }
        throw StoreError(
            .misuse, "'\(entity.name).\(attribute ?? "")' is not searchable",
            advice: "declare it with @Stored(.searchable)", entity: entity.name)
    }
}
