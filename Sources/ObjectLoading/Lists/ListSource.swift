/// Where the objects of a list are loaded from.
struct ListSource: Sendable {
    let manager: ObjectManager
    let path: String
    let parameters: FormValue
    /// `nil` without pages.
    let pagination: Pagination?
    let policy: FetchPolicy

    /// Identifies the list in the file; `nil` if its request is invalid.
    var key: String? {
        guard let store = manager.store else { return nil }
        let request = manager.client.request(.get, path, query: parameters)
        return request.responseKey(salt: store.salt).map { "\($0.request) \($0.user)" }
    }

    /// Returns when the list was loaded, also by an earlier process.
    func loadTime() async -> Date? {
        guard let key, let time = try? await manager.store?.loadTime(ofList: key) else { return nil }
        return Date(timeIntervalSince1970: Double(time) / 1000)
    }

    /// Stores when the list was loaded; without it, the list is loaded again after a restart.
    func setLoadTime(_ time: Date?) async {
        guard let key else { return }
        let milliseconds = time.flatMap { Int64(exactly: ($0.timeIntervalSince1970 * 1000).rounded()) }
        try? await manager.store?.setLoadTime(milliseconds, ofList: key)
    }

    static let noStore = LoadError(.noStore, "a list shows managed objects; create the ObjectManager with a store")

    /// Requests the objects: the list shows those of the store in any case, and that the server cannot be reached.
    func load() async throws -> LoadResult {
        var remote = FetchPolicy.remote.pruning(policy.pruning)
        if let age = policy.maximumAge { remote = remote.maximumAge(age) }
        return try await manager.load(
            manager.client.request(.get, path, query: parameters), LoadOptions(policy: remote, endsOffline: true))
    }

    func pages(_ pagination: Pagination) -> Pages<LoadResult, any Error> {
        manager.pages(path, pagination, query: parameters, pruning: policy.pruning, endsOffline: true)
    }

    /// Returns the query for the objects of a class that was added for the path; `nil` without one.
    func query<Object: ManagedObject>(for type: Object.Type) -> ObjectQuery<Object>? {
        let request = manager.client.request(.get, path, query: parameters)
        let scope = (try? manager.offlineScope(of: request)) ?? nil
        return scope?.queries.lazy.compactMap { $0 as? ObjectQuery<Object> }.first
    }
}
