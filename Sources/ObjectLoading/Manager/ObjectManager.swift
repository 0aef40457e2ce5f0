/// Loads the objects of a web service into a store, or as plain models: by paths, routes and response descriptors.
///
/// ```swift
/// let manager = ObjectManager(client: client, store: store)
/// manager.router.add(Project.self, "/projects/\(\.projectID)")
/// manager.responses.add(Project.mapping, at: "projects", path: "/projects")
/// manager.responses.add(Project.mapping, path: "/projects/:id")
///
/// let result = try await manager.load("/projects", query: ["page": "2"])
/// let projects = try result.objects(of: Project.self, in: context)
/// try await manager.get(projects[0])                         // GET /projects/7, and refreshes the object
/// ```
///
/// A response is mapped in a separate context, and saved in one transaction: an error leaves the store unchanged. Other
/// contexts receive it at their next merge point; that of an object which is passed to a call, before the call returns.
public final class ObjectManager: Sendable {
    /// The client that creates the requests.
    public let client: RESTClient
    /// The store of managed objects; `nil` for plain models only.
    public let store: ManagedObjectStore?
    /// The queue that sends the requests, with their limit, owners and reachability.
    public let queue: RequestQueue
    /// The paths of objects and relationships, and those with names.
    public let router = Router()
    /// The mappings of responses.
    public let responses: ResponseDescriptors
    /// The mappings that write the bodies of requests.
    public let bodies = RequestDescriptors()
    /// The queries for the objects of paths: what loads answer offline, and what they prune.
    public let offline = OfflineQueries()
    let posts = RunningPosts()
    let runningLoads = RunningLoads()

    /// Creates an object manager.
    ///
    /// - Parameters:
    ///   - client: The client of the service.
    ///   - store: The store of managed objects. Defaults to `nil`, for plain models only.
    ///   - queue: The queue that sends the requests. Defaults to a new one, which is running.
    public convenience init(client: RESTClient, store: ManagedObjectStore? = nil, queue: RequestQueue? = nil) {
        self.init(client: client, store: store, queue: queue, responses: ResponseDescriptors())
    }

    init(client: RESTClient, store: ManagedObjectStore?, queue: RequestQueue?, responses: ResponseDescriptors) {
        self.client = client
        self.store = store
        self.responses = responses
        store?.keepUnsent()
        if let queue {
            self.queue = queue
        } else {
            self.queue = RequestQueue()
            self.queue.start()
        }
    }

    // MARK: Paths

    /// Loads the objects and values of a path.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the base URL of the client.
    ///   - method: The method. Defaults to `.get`.
    ///   - query: The query, added to that of the path. Defaults to none.
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    ///   - policy: What happens to elements with issues. Defaults to `.fail`: one of them fails the load.
    ///   - pruning: What happens to stored objects of the path that a complete response does not have. Defaults to `.none`:
    ///     they are kept. Others require queries for the path in ``offline``.
    /// - Returns: The objects and values. For a path with queries in ``offline``, these are the stored objects if the server
    ///   cannot be reached.
    /// - Throws: `MappedRequestError` if there is no response, for another status than 200 to 299, with the models of an
    ///   error descriptor, and for a body that cannot be mapped; ``LoadError`` if no descriptor applies; `StoreError` if
    ///   the store cannot be written.
    @discardableResult public func load(
        _ path: String, method: HTTPMethod = .get, query: FormValue = [:], headers: HTTPHeaders = [:],
        owner: (any Hashable & Sendable)? = nil, policy: MappingReport.Policy = .fail, pruning: Pruning = .none
    ) async throws -> LoadResult {
        let request = client.request(method, path, query: query, headers: headers)
        return try await load(request, LoadOptions(owner: owner, issues: policy, pruning: pruning))
    }

    /// Loads the objects and values of a named route.
    ///
    /// - Parameters:
    ///   - name: The name of the route.
    ///   - values: The values of the parameters of its path.
    ///   - query: The query. Defaults to none.
    ///   - headers: Header fields of this request. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    ///   - policy: What happens to elements with issues. Defaults to `.fail`.
    /// - Throws: ``RouteError`` if there is no such route or a value is missing; otherwise like `load(_:)`.
    @discardableResult public func load(
        named name: String, _ values: [String: any FormValueConvertible] = [:], query: FormValue = [:],
        headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil, policy: MappingReport.Policy = .fail
    ) async throws -> LoadResult {
        let route = try router.namedRoute(name, values)
        return try await load(
            route.path, method: route.method, query: query, headers: headers, owner: owner, policy: policy)
    }

    // MARK: Objects

    /// Loads the objects of a relationship by its route.
    ///
    /// The path is made of the object before the request is sent. The mapping connects the loaded objects to it, by a
    /// `Connection` or a nested object; without a foreign key in the body, by `.metadata("routing.parameters.id")`. They are
    /// merged into the context of the owner.
    ///
    /// - Parameters:
    ///   - object: The owner.
    ///   - relationship: The property of the owner.
    ///   - query: The query. Defaults to none.
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    ///   - policy: What happens to elements with issues. Defaults to `.fail`.
    ///   - pruning: What happens to stored objects of the path that a complete response does not have. Defaults to `.none`.
    /// - Throws: ``RouteError`` if there is no route or a value is missing; otherwise like `load(_:)`.
    @discardableResult public nonisolated(nonsending) func load<Object, Target>(
        _ object: Object, _ relationship: any KeyPath<Object, Target> & Sendable, query: FormValue = [:],
        headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil, policy: MappingReport.Policy = .fail,
        pruning: Pruning = .none
    ) async throws -> LoadResult {
        let path = try router.path(for: object, relationship: relationship)
        let result = try await load(
            path, query: query, headers: headers, owner: owner, policy: policy, pruning: pruning)
        try await (object as? ManagedObject)?.managed.context?.merge()
        return result
    }

    /// Loads an object again by its route, and merges the response into its context.
    ///
    /// Attributes that were changed and not saved keep their values.
    ///
    /// - Parameters:
    ///   - object: A saved object.
    ///   - query: The query. Defaults to none.
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    /// - Throws: ``RouteError`` if there is no route or a value is missing; ``LoadError`` if the object was never saved, or
    ///   if the response contains other objects, but not this one; otherwise like `load(_:)`. Nothing is saved then.
    @discardableResult public nonisolated(nonsending) func get<Object: ManagedObjectClass>(
        _ object: Object, query: FormValue = [:], headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil
    ) async throws -> LoadResult {
        let (context, id) = try await saved(object)
        let request = client.request(.get, try router.path(for: object), query: query, headers: headers)
        let expectation = Expectation(id: id, changes: object.unsavedChanges.withoutChanges)
        let result = try await running { [self] in try await load(request, owner, expecting: expectation) }
        try await context.merge()
        return result
    }

    /// Loads the object of a class that has an identity, by the route of the class.
    ///
    /// ```swift
    /// let result = try await manager.get(ProjectTask.self, 7)              // GET /tasks/7
    /// let task = try result.objects(of: ProjectTask.self, in: context).first
    /// ```
    ///
    /// The object need not be in the store.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - identity: The values of the identity, in the order of the class.
    ///   - query: The query. Defaults to none.
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    /// - Throws: ``RouteError`` if there is no route, if its path needs more than the identity, or if there are more values than
    ///   parts of the identity; ``LoadError`` of kind `otherObject` if the response does not have this object; otherwise like
    ///   `load(_:)`. Nothing is saved then.
    @discardableResult public func get<Object: ManagedObjectClass>(
        _ type: Object.Type, _ identity: any FormValueConvertible..., query: FormValue = [:],
        headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil
    ) async throws -> LoadResult {
        let path = try router.path(for: type, identity: identity)
        let texts = identity.map { value in if case .text(let text) = value.formValue { text } else { "" } }
        let request = client.request(.get, path, query: query, headers: headers)
        let expected = ExpectedObject(type: type, identity: Array(zip(type.identityNames, texts)))
        return try await load(request, LoadOptions(owner: owner, expected: expected))
    }

    /// Returns the URL of an object by its route.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - method: The method of the request. Defaults to `.get`.
    /// - Throws: ``RouteError`` if there is no route, or if one of its parameters has no value.
    public func url<Object>(for object: Object, method: HTTPMethod = .get) throws(RouteError) -> URL? {
        client.request(method, try router.path(for: object, method: method)).url
    }
}
