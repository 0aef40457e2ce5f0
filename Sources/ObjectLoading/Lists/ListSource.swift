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
        // A page is not the whole list.
        let pages = pagination.map { " \($0.identity)" } ?? ""
        return request.responseKey(salt: store.salt).map { "\($0.request) \($0.user)\(pages)" }
    }

    /// Returns when the list was loaded, also by an earlier process, and the position of its next page; `nil` for pages whose
    /// position is unknown.
    func lastLoad() async -> (time: Date, next: PagePosition?)? {
        guard let key, let load = try? await manager.store?.load(ofList: key) else { return nil }
        let time = Date(timeIntervalSince1970: Double(load.time) / 1000)
        guard pagination != nil else { return (time, nil) }
        guard let next = load.next else { return nil }
        if next == Self.noPage { return (time, nil) }
        guard let position = try? JSONDecoder().decode(PagePosition.self, from: Data(next.utf8)) else { return nil }
        return (time, position)
    }

    /// Stores when the list was loaded; without it, the list is loaded again after a restart.
    ///
    /// - Parameters:
    ///   - position: The position of the next page; `nil` for none.
    ///   - isKnown: Whether the position could be read.
    func setLoad(_ time: Date?, next position: PagePosition? = nil, isKnown: Bool = true) async {
        guard let key else { return }
        let milliseconds = time.flatMap { Int64(exactly: ($0.timeIntervalSince1970 * 1000).rounded()) }
        let text = position.map { try? String(decoding: JSONEncoder().encode($0), as: UTF8.self) } ?? Self.noPage
        let next = pagination != nil && isKnown ? text : nil
        try? await manager.store?.setLoad(milliseconds.map { ListLoad(time: $0, next: next) }, ofList: key)
    }

    /// The stored position after the last page.
    private static let noPage = ""

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
