// Written by scripts/generate-resource-calls; do not edit.

extension ResourceQuery {
    /// The records; none if the status is 404; blocks the thread.
    @available(*, noasync, message: "recordsSync blocks the thread; use `await records`")
    public var recordsSync: [Record] {
        get throws(ResourceError) { try loadSync().records }
    }

    /// The first record; `nil` if there are no records; blocks the thread.
    ///
    /// All records are requested.
    @available(*, noasync, message: "firstSync blocks the thread; use `await first`")
    public var firstSync: Record? {
        get throws(ResourceError) { try loadSync().records.first }
    }

    /// The last record; `nil` if there are no records; blocks the thread.
    ///
    /// All records are requested.
    @available(*, noasync, message: "lastSync blocks the thread; use `await last`")
    public var lastSync: Record? {
        get throws(ResourceError) { try loadSync().records.last }
    }

    /// Whether there are records; blocks the thread.
    ///
    /// All records are requested.
    @available(*, noasync, message: "existsSync blocks the thread; use `await exists`")
    public var existsSync: Bool {
        get throws(ResourceError) {
            let page = try loadSync()
            return !page.isEmpty
        }
    }

    /// The number of records in the response; `totalCount` of the page is that of all pages; blocks the thread.
    ///
    /// All records are requested.
    @available(*, noasync, message: "countSync blocks the thread; use `await count`")
    public var countSync: Int {
        get throws(ResourceError) { try loadSync().count }
    }

    /// Requests the records; blocks the thread.
    ///
    /// - Throws: `ResourceError`, except for status 404, which returns no records.
    @available(*, noasync, message: "loadSync blocks the thread; use `await load()`")
    public func loadSync() throws(ResourceError) -> ResourcePage<Record> {
        if isEmpty { return ResourcePage([]) }
        do throws(ResourceError) { return try requestedSync() } catch {
            guard error.kind == .notFound else { throw error }
            kind.endpoint.logEmptyList(for: error)
            return ResourcePage([], response: error.response)
        }
    }

    /// Requests the records; blocks the thread.
    ///
    /// - Throws: `ResourceError`, also for status 404.
    @available(*, noasync, message: "requestedSync blocks the thread; use `await requested()`")
    func requestedSync() throws(ResourceError) -> ResourcePage<Record> {
        let endpoint = kind.endpoint
        let path = try endpoint.path(of: source, prefix: prefixOptions, query: queryValue)
        let request = endpoint.request(.get, path)
        return try kind.page(of: try endpoint.sendSync(request), to: request, prefix: prefixOptions)
    }
}
