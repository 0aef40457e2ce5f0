import Dispatch

/// A query for objects of any class, so that one array contains queries for several classes.
///
/// ```swift
/// let queries: [any AnyObjectQuery] = [Project.all, ProjectTask.where { $0.project == nil }]
/// ```
public protocol AnyObjectQuery: Sendable {
    /// The class of the objects.
    associatedtype Object: ManagedObject
    /// The query.
    var objectQuery: ObjectQuery<Object> { get }
}

extension ObjectQuery: AnyObjectQuery {
    /// The query itself.
    public var objectQuery: ObjectQuery { self }
}

extension AnyObjectQuery {
    /// The class of the objects.
    package var objectType: ManagedObject.Type { Object.self }

    var definition: QueryDescription { objectQuery.definition }
}

extension ManagedObjectStore {
    /// Returns the IDs of the objects of queries in the file; SQL runs on another thread.
    ///
    /// - Throws: `StoreError` if a query is invalid, or if the file cannot be read.
    package func ids(_ queries: [any AnyObjectQuery]) async throws(StoreError) -> [LoadedIDs] {
        try await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Result { () throws(StoreError) in try self.readIDs(queries) })
            }
        }.get()
    }

    private func readIDs(_ queries: [any AnyObjectQuery]) throws(StoreError) -> [LoadedIDs] {
        // One reader for all of them: they see the same commit.
        try read { (connection) throws(StoreError) in
            try queries.map { query throws(StoreError) in
                let entity = try self.entity(of: query.objectType)
                var sql = QuerySQL(self)
                let text = try sql.selectRows(query.definition, entity)
                let statement = try connection.cached(text)
                try statement.bind(sql.arguments)
                defer { statement.reset() }
                var rows = GroupedRows<String>()
                while try statement.step() { rows.append(statement.integer(at: 0), of: entity.name) }
                return LoadedIDs(rows, in: identity)
            }
        }
    }
}

extension QueryValue {
    /// Whether the value is equal to that of a text, such as a part of a path.
    ///
    /// - Parameter name: The name of the text, for an error if it has another type.
    package func isEqual(toText text: String, named name: String) -> QueryPredicate<Root> {
        if let problem = operand.path.problem { return QueryPredicate(.invalid(problem)) }
        // In the order in which they are exact.
        let candidates: [StoredValue?] = [
            .text(text), Int64(text).map { .integer($0) }, Double(text).map { .real($0) },
            Bool(text).map { .integer($0 ? 1 : 0) },
        ]
        guard case .attribute(let attribute) = operand.target,
            let value = candidates.lazy.compactMap({ $0.flatMap(attribute.canonical) }).first
        else {
            return QueryPredicate(
                .invalid(
                    StoreError(
                        .misuse, "the value of the parameter '\(name)' cannot be compared with '\(operand.name)'",
                        advice: "check the path, and the type of the attribute")))
        }
        return QueryPredicate(.comparison(operand, .equal, value))
    }

    /// The condition of a missing text, which is an error when the query runs.
    package static func missingText(named name: String, among names: [String]) -> QueryPredicate<Root> {
        let list = names.map { "'\($0)'" }.joined(separator: ", ")
        let known = names.isEmpty ? "no parameters" : "the parameters \(list)"
        return QueryPredicate(.invalid(StoreError(.misuse, "the path has no parameter '\(name)', but \(known)")))
    }
}
