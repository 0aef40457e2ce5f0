import MappingLog
import Synchronization

/// The queries for the objects of paths: what a load answers offline, and what it prunes.
///
/// ```swift
/// manager.offline.add("/projects") { _ in [Project.all.sorted(by: \.name)] }
/// manager.offline.add("/projects/:projectID/tasks") { parameters in
///     [ProjectTask.where { $0.project.projectID == parameters["projectID"] }]
/// }
/// ```
///
/// The queries of a path select exactly those objects in the store that a complete response of the path has: one query for
/// each class. The most specific pattern that matches a path applies. Two equal patterns are a mistake, which is logged when
/// the second one is added, and thrown when one of them is used.
public final class OfflineQueries: Sendable {
    /// Returns the queries of a path.
    public typealias Queries = @Sendable (PathParameters) -> [any AnyObjectQuery]

    private struct Entry: Sendable {
        let template: PathTemplate
        let queries: Queries
        /// Another pattern for the same paths; `nil` for none.
        var duplicate: String?
    }

    private struct State {
        var entries: [Entry] = []
        /// The numbers of the entries by their paths.
        var index = PathIndex()
        var now: @Sendable () -> Int64 = { Int64((Date().timeIntervalSince1970 * 1000).rounded()) }
    }

    private let state = Mutex(State())

    /// Creates a registry without paths.
    public init() {}

    /// Adds the queries for the objects of a path.
    ///
    /// - Parameters:
    ///   - path: The path relative to the base URL of the client, with parameters such as `:projectID`; with or without
    ///     slashes at its ends. A query is ignored.
    ///   - queries: Returns the queries, one for each class.
    public func add(_ path: String, queries: @escaping Queries) {
        let template = ResponseDescriptor.template(path)
        let earlier = state.withLock { state -> String? in
            let earlier = state.entries.firstIndex { $0.template.shape == template.shape }
            if let earlier { state.entries[earlier].duplicate = template.description }
            state.index.insert(state.entries.count, for: template)
            state.entries.append(
                Entry(
                    template: template, queries: queries,
                    duplicate: earlier.map { state.entries[$0].template.description }))
            return earlier.map { state.entries[$0].template.description }
        }
        if let defect = template.defect {
            LogMessage.log(.objectLoading, .error, "offline: invalid path '\(path)': \(defect)")
        } else if let earlier {
            LogMessage.log(
                .objectLoading, .error, LoadError(duplicateQueriesOf: template.description, earlier).description)
        }
    }

    /// Whether no path has queries.
    var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }

    /// The current time in milliseconds since 1970; replaced by tests.
    var now: Int64 { state.withLock { $0.now }() }

    /// Replaces the clock.
    func setClock(_ now: @escaping @Sendable () -> Int64) { state.withLock { $0.now = now } }

    /// Returns the objects of a path; `nil` without queries for it.
    ///
    /// - Parameters:
    ///   - path: The percent-encoded path relative to the base URL.
    ///   - items: The query of the request.
    func scope(of path: String, query items: [String: String]) throws(LoadError) -> OfflineScope? {
        let candidates = state.withLock { state in
            state.index.candidates(for: path).sorted().map { state.entries[$0] }
        }
        var best: (entry: Entry, values: [String: String])?
        for entry in candidates {
            guard let values = entry.template.match(encodedPath: path) else { continue }
            if let best, !entry.template.isMoreSpecific(than: best.entry.template) { continue }
            best = (entry, values)
        }
        guard let (entry, values) = best else { return nil }
        if let other = entry.duplicate { throw LoadError(duplicateQueriesOf: entry.template.description, other) }
        // Called without the lock: the closure is code of the program.
        let usage = PathParameters.Usage()
        let queries = entry.queries(PathParameters(values, query: items, usage))
        return OfflineScope(
            path: entry.template.description, queries: queries,
            unreadNames: items.keys.filter { !usage.readNames.contains($0) }.sorted())
    }
}

/// The objects of a path in the store.
struct OfflineScope: Sendable {
    /// The pattern of the path.
    let path: String
    let queries: [any AnyObjectQuery]
    /// The names in the query of the request that the queries do not consider.
    let unreadNames: [String]
}

extension PathTemplate {
    /// A text that is equal for templates that differ in the names of their parameters only.
    fileprivate var shape: String { (try? path { _ in "\u{1}" }) ?? description }
}

extension LoadError {
    fileprivate init(duplicateQueriesOf path: String, _ other: String) {
        self.init(
            .duplicateQueries, "offline: the paths '\(path)' and '\(other)' are the same; add their queries together")
    }

    /// - Parameter purpose: What the queries are needed for.
    init(noQueriesFor path: String, to purpose: String) {
        self.init(
            .noQueries,
            "no queries for the path '\(path)', which are needed to \(purpose); add them with manager.offline.add")
    }
}
