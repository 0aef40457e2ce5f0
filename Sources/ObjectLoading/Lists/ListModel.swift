public import Observation

/// A list of objects for any user interface: it loads them, and shows what the store has, now and after each change.
///
/// ```swift
/// let list = ListModel(path: "/projects", showing: Project.all.sorted(by: \.name), manager: manager)
/// await list.load()                                          // GET /projects
/// list.search = ListSearch("pier", in: \.name)
/// list.filter = { !$0.isDone }
///
/// switch list.state {
/// case .loaded: show(list.objects)
/// case .loading, .empty, .offline, .failed: show("\(list.state)")
/// }
/// ```
///
/// The objects are those of the main context. They stay current after loads, imports, saves and changes of other processes.
/// Views that read the properties are updated, and ``onChange`` receives the positions for animated updates. A list that is
/// no longer used stops observing.
@MainActor public final class ListModel<Object: ManagedObjectClass>: Observable {
    /// What the list shows.
    struct Content {
        var objects: [Object] = []
        var sections: [QueryChange<Object>.Section] = []
    }

    /// The state of loads.
    struct Status {
        var isLoading = false
        var isLoadingNextPage = false
        /// Whether the objects of the store were read.
        var isRead = false
        /// Whether a load has ended, also without success.
        var hasEnded = false
        var hasNextPage = false
        var objectCount: Int?
        var pruning: PruningReport?
        var loadedAt: Date?
        var loadError: (any Error)?
        /// The error of the query or of a closure.
        var showError: (any Error)?
    }

    /// `nil` without a store.
    let context: ObjectContext?
    /// Where the objects are loaded from; `nil` for a list of a query.
    let source: ListSource?
    private let registrar = ObservationRegistrar()
    private var currentContent = Content()
    private var currentStatus = Status()
    /// The observation of the query, and what it found.
    let observed = ObservedList<Object>()
    var paginator: Paginator<LoadResult, any Error>?
    var loading: Task<Void, Never>?
    /// The number of calls that wait for the load.
    var callers = 0
    /// The number of calls of ``invalidate()``.
    var invalidations = 0
    /// The objects of the last answer, by their position, if the list has no query.
    var loaded: [ObjectID: Int] = [:]
    /// The keys of ``sort(by:descending:)``, as a change of the query.
    private var order: ((ObjectQuery<Object>) -> ObjectQuery<Object>)?
    /// The time of the last load; for tests.
    package var now: @Sendable () -> Date = { Date() }

    /// Creates a list of the objects of a query in a store.
    ///
    /// - Parameters:
    ///   - query: The objects in their order. Defaults to all objects of the class.
    ///   - store: The store.
    public init(_ query: ObjectQuery<Object> = ObjectQuery(), in store: ManagedObjectStore) {
        (self.query, context, source) = (query, store.mainContext, nil)
        restart()
    }

    /// Creates a list of the objects of a path.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the base URL of the client.
    ///   - parameters: The query of the requests. Defaults to none.
    ///   - query: The objects that the list shows, in their order, also before a load and offline. Defaults to `nil`:
    ///     those of the query in ``ObjectManager/offline`` for the path, or else the objects of the last answer, in its order.
    ///   - pagination: How the path is divided into pages, which are loaded on demand. Defaults to `nil`, without pages.
    ///   - policy: With `.local`, the list sends no requests. Other policies show the objects of the store, and request those
    ///     of the server when the list is loaded, with the maximum age and the pruning of the policy. Defaults to
    ///     `.localThenRemote`.
    ///   - refreshRate: The age from which the objects are outdated. Defaults to `nil`, never.
    ///   - manager: The manager. Without a store, the list has an error.
    public init(
        path: String, query parameters: FormValue = [:], showing query: ObjectQuery<Object>? = nil,
        pages pagination: Pagination? = nil, policy: FetchPolicy = .localThenRemote, refreshRate: Duration? = nil,
        manager: ObjectManager
    ) {
        let source = ListSource(
            manager: manager, path: path, parameters: parameters, pagination: pagination, policy: policy)
        (context, self.source, self.refreshRate) = (manager.store?.mainContext, source, refreshRate)
        self.query = query ?? source.query(for: Object.self)
        restart()
        Task { [weak self] in await self?.readLoadTime() }
    }

    // MARK: Objects

    var content: Content {
        get {
            registrar.access(self, keyPath: \.content)
            return currentContent
        }
        set { registrar.withMutation(of: self, keyPath: \.content) { currentContent = newValue } }
    }

    var status: Status {
        get {
            registrar.access(self, keyPath: \.status)
            return currentStatus
        }
        set { registrar.withMutation(of: self, keyPath: \.status) { currentStatus = newValue } }
    }

    /// The objects that the list shows.
    public var objects: [Object] { content.objects }
    /// The sections of the objects, in their order; empty without ``sectionName``.
    public var sections: [QueryChange<Object>.Section] { content.sections }
    /// Whether the list shows no objects.
    public var isEmpty: Bool { content.objects.isEmpty }

    /// Receives the objects, and how they differ from the previous ones, after each change.
    public var onChange: (@MainActor (QueryChange<Object>) -> Void)?

    // MARK: What is shown

    /// The objects that the list shows, before search and filter; `nil` for those of the last answer.
    public var query: ObjectQuery<Object>? { didSet { restart() } }

    /// The words that the shown objects contain.
    ///
    /// Defaults to `nil`, for all objects.
    public var search: ListSearch<Object>? {
        didSet {
            if search?.isInStore == true || oldValue?.isInStore == true { restart() } else { show() }
        }
    }

    /// Returns whether the list shows an object.
    ///
    /// If it throws, ``error`` is set, and the list remains as it is. Defaults to `nil`, for all objects.
    public var filter: ((Object) throws -> Bool)? { didSet { show() } }

    /// Returns whether an object is before another one; it precedes the order of the query.
    ///
    /// If it throws, ``error`` is set, and the list remains as it is. Defaults to `nil`, for the order of the query.
    public var sort: ((Object, Object) throws -> Bool)? { didSet { show() } }

    /// Returns the name of an object's section; consecutive objects with the same name are a section.
    ///
    /// If it throws, ``error`` is set, and the list remains as it is. Defaults to `nil`, without sections.
    public var sectionName: ((Object) throws -> String)? { didSet { show() } }

    /// Sorts the objects by an attribute instead of the order of the query; the store sorts them.
    ///
    /// - Parameters:
    ///   - property: A key path to an attribute.
    ///   - descending: Whether the order is descending. Defaults to `false`.
    public func sort<Value>(by property: KeyPath<Object, Value>, descending: Bool = false) {
        order = { $0.unsorted.sorted(by: property, descending: descending) }
        restart()
    }

    /// Removes search, filter and sort.
    public func reset() {
        observed.isUpdating = true
        order = nil
        (search, filter, sort) = (nil, nil, nil)
        (observed.isUpdating, observed.needsUpdate) = (false, false)
        restart()
    }

    /// The query of the store; `nil` before there are objects to show.
    var storeQuery: ObjectQuery<Object>? {
        let loaded = loaded
        let answer = loaded.isEmpty ? nil : Object.where { $0.isIn(Array(loaded.keys)) }
        guard var query = query ?? answer else { return nil }
        if let order { query = order(query) }
        return search?.restricting(query) ?? query
    }

    // MARK: State

    /// The age from which the objects are outdated; `nil` for never.
    ///
    /// The time of the last load is stored in the file, for lists that show a query.
    public var refreshRate: Duration?

    /// What the list shows.
    public var state: ListState {
        if !content.objects.isEmpty { return .loaded }
        if status.isLoading { return .loading }
        if let error { return status.showError == nil && isOffline ? .offline : .failed(error) }
        let isLocal = source == nil || source?.policy == .local
        return status.isRead && (isLocal || isLoaded || status.hasEnded) ? .empty : .loading
    }

    /// The error of the last load, of the query or of a closure; `nil` after a success.
    public var error: (any Error)? { status.showError ?? status.loadError }
    /// Whether the last load failed because the server could not be reached, or is not available: status 502, 503 or 504.
    public var isOffline: Bool { status.loadError?.isOffline == true }
    /// Whether objects are being loaded.
    public var isLoading: Bool { status.isLoading }
    /// Whether the next page is being loaded.
    public var isLoadingNextPage: Bool { status.isLoadingNextPage }
    /// Whether the objects were loaded, also by an earlier process or another list.
    ///
    /// The time of that load is read from the file after the list is created; ``update()`` returns when it is known.
    public var isLoaded: Bool { status.loadedAt != nil }
    /// When the objects were loaded; `nil` before the first load.
    public var loadedAt: Date? { status.loadedAt }
    /// Whether there is a page after those that were loaded.
    public var hasNextPage: Bool { status.hasNextPage }
    /// The number of objects on all pages, as the server counts them; `nil` if it does not.
    public var objectCount: Int? { status.objectCount }
    /// What the last load has removed, or why it has not; `nil` if no pruning was requested.
    public var pruning: PruningReport? { status.pruning }

    /// Whether the objects were never loaded, or are older than ``refreshRate``, and are not being loaded.
    public var isOutdated: Bool {
        guard source != nil, !status.isLoading else { return false }
        guard let loadedAt = status.loadedAt else { return true }
        guard let refreshRate else { return false }
        let age = now().timeIntervalSince(loadedAt)
        // A time in the future is one of another clock.
        return age < 0 || age > refreshRate / .seconds(1)
    }
}
