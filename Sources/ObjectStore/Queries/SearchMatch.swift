/// An object that a search found, with a part of its text.
public struct SearchMatch<Object: ManagedObject> {
    /// The object.
    public let object: Object
    /// How well the object matches: greater for better matches, and comparable within one search only.
    public let relevance: Double
    /// The part of a searchable text with the most words of the search; "…" replaces the rest.
    public let snippet: String
    /// The words of the search in the snippet.
    public let highlights: [Range<String.Index>]
}

extension ObjectContext {
    /// Returns the objects of a query with `search(_:)`, with the parts of their texts that match.
    ///
    /// ```swift
    /// for match in try context.matches(of: Note.where { $0.search("attic") }.limit(20)) {
    ///     print(match.object.title, match.snippet)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - query: A query whose conditions include a search of the queried objects. Without another order, the best matches
    ///     are first.
    ///   - words: The maximum number of words in a snippet, from 1 to 64. Defaults to 16.
    /// - Throws: `StoreError`, of kind `misuse` if the query has no search, `invalidSearch` for an invalid expression.
    @_disfavoredOverload public func matches<Object>(
        of query: ObjectQuery<Object>, words: Int = 16
    ) throws(StoreError) -> [SearchMatch<Object>] {
        let entity = try core.store.entity(of: query)
        let condition = try FlatCondition(query.definition.condition)
        guard !condition.searches.isEmpty else {
            throw StoreError(
                .misuse, "the query of '\(entity.name)' has no search of its objects that is required for all results",
                advice: "add a condition such as { $0.search(\"attic\") }", entity: entity.name)
        }
        let objects = try core.fetch(query.definition, entity).known(as: Object.self)
        // A search that only excludes words finds objects without any of them.
        let texts =
            try condition.rankedSearch.map { search throws(StoreError) in
                try core.snippets(search, words, of: objects.map(\.row), entity)
            } ?? [:]
        return objects.map { object in
            let (relevance, text) = texts[object.row] ?? (0, "")
            let (snippet, highlights) = Self.highlights(in: text)
            return SearchMatch(object: object, relevance: relevance, snippet: snippet, highlights: highlights)
        }
    }

    /// Returns the objects of a query with `search(_:)`, with the parts of their texts that match; SQL runs on another
    /// thread.
    ///
    /// - Parameters:
    ///   - query: A query whose conditions include a search of the queried objects.
    ///   - words: The maximum number of words in a snippet, from 1 to 64. Defaults to 16.
    /// - Throws: `StoreError`, of kind `misuse` if the query has no search, `invalidSearch` for an invalid expression.
    nonisolated(nonsending) public func matches<Object>(
        of query: ObjectQuery<Object>, words: Int = 16
    ) async throws(StoreError) -> [SearchMatch<Object>] {
        try await core.reading { () throws(StoreError) in try matches(of: query, words: words) }
    }

    /// Removes the marks around words, and returns their ranges.
    private static func highlights(in marked: String) -> (text: String, ranges: [Range<String.Index>]) {
        var text = String.UnicodeScalarView()
        var offsets: [(start: Int, end: Int)] = []
        var start: Int?
        for scalar in marked.unicodeScalars {
            switch scalar {
            case SearchMarks.start: start = text.count
            case SearchMarks.end:
                if let first = start { offsets.append((first, text.count)) }
                start = nil
            default: text.append(scalar)
            }
        }
        let string = String(text)
        let scalars = string.unicodeScalars
        // In order, so that each range is found from the previous one.
        var (index, offset) = (scalars.startIndex, 0)
        func advance(to next: Int) -> String.Index {
            index = scalars.index(index, offsetBy: next - offset)
            offset = next
            return index
        }
        return (
            string,
            offsets.map { offsets in
                let start = advance(to: offsets.start)
                return start..<advance(to: offsets.end)
            }
        )
    }
}

/// The marks around words in snippets of FTS5: characters for private use, which texts rarely contain.
private enum SearchMarks {
    static let start: Unicode.Scalar = "\u{F8F0}"
    static let end: Unicode.Scalar = "\u{F8F1}"
}

extension ContextCore {
    /// Returns the relevance and the marked snippet of rows.
    fileprivate func snippets(
        _ search: FlatCondition.Search, _ words: Int, of rows: [Int64], _ entity: StoredEntity
    ) throws(StoreError) -> [Int64: (relevance: Double, text: String)] {
        let index = try SearchIndex.index(of: entity)
        let expression = try index.expression(search, of: entity)
        let text = """
            SELECT rowid, rank, snippet(\(index.table), -1, ?, ?, '…', ?) FROM \(index.table) \
            WHERE \(index.match)? AND rowid IN (SELECT value FROM json_each(?))
            """
        let arguments: [StoredValue] = [
            .text(String(SearchMarks.start)), .text(String(SearchMarks.end)), .integer(Int64(min(max(words, 1), 64))),
            .text(expression), .rows(rows[...]),
        ]
        var found: [Int64: (relevance: Double, text: String)] = [:]
        for row in try values(text, arguments) {
            found[row[0].integer ?? 0] = (-(row[1].double ?? 0), row[2].text ?? "")
        }
        return found
    }
}
