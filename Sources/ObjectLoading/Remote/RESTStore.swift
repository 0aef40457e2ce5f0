import Synchronization

/// A web service as the remote of a store: a fetch is a GET, a new object a POST, a change a PATCH, a deletion a DELETE.
///
/// ```swift
/// let remote = RESTStore(client: client)
/// remote.add(Person.self, path: "/people")
/// remote.manager.router.add(Person.self, "/people/\(\.personID)")
/// remote.manager.router.add(Person.self, .post, "/people")
/// remote.manager.responses.add(Person.mapping, path: "/people")
/// remote.manager.responses.add(Person.mapping, path: "/people/:id")
/// remote.manager.bodies.add(Person.mapping, root: "person")
///
/// let store = try await ManagedObjectStore.open(at: url, model: model, remote: remote)
/// let people = try await context.fetch(Person.all, policy: .remote)           // GET /people
/// ```
///
/// ``init(rails:identifier:options:)-(RESTClient,_,_)`` describes the resources of a Rails application by its conventions. Lists with pages are
/// followed by the links of their responses (RFC 8288). Lists with an `ETag` or `Last-Modified` are requested with a condition,
/// also after the file was opened again.
public final class RESTStore: IncrementalStore {
    /// The routes, response descriptors and request descriptors; it has no store.
    public let manager: ObjectManager
    /// Describes resources by the conventions of Rails.
    public let rails: RailsRouter
    private let identifier: String
    private let options: Options
    /// Whether classes are resources without being added.
    private let usesConventions: Bool
    private let collections = Mutex<[String: Collection]>([:])
    private let localEntities = Mutex<Set<String>>([])

    /// Options of a REST store.
    public struct Options: Sendable {
        /// The method that sends changes of objects: `.patch`, or `.put` with the complete object, in which changes to `nil`
        /// are null.
        ///
        /// Defaults to `.patch`.
        public var updateMethod = HTTPMethod.patch
        /// The header field with a key that is the same for all attempts of a change, such as `Idempotency-Key`.
        ///
        /// Only for services that save a change once if they receive it twice. Defaults to `nil`: a new object whose
        /// response was lost is not sent again.
        public var idempotencyField: String?
        /// The maximum number of pages of a fetch.
        ///
        /// A fetch with more pages is an error. Defaults to 1,000.
        public var maximumOfPages = 1_000

        /// Creates options with default values.
        public init() {}
    }

    /// The path of all objects of a class.
    private struct Collection: Sendable {
        let type: any ManagedObjectClass.Type
        let path: String
        let query: @Sendable (RemoteFetch) -> FormValue
        let evaluated: Set<RemoteObjects.Part>
        let isComplete: Bool
    }

    /// Creates a store whose resources are added.
    ///
    /// - Parameters:
    ///   - client: The client of the service.
    ///   - identifier: Identifies the service and its user; a file that belongs to another one is not opened. Defaults to
    ///     the base URL of the client.
    ///   - options: The options. Defaults to the default options.
    ///   - queue: The queue that sends the requests. Defaults to a new one, which is running.
    public convenience init(
        client: RESTClient, identifier: String? = nil, options: Options = Options(), queue: RequestQueue? = nil
    ) {
        self.init(client, identifier, options, queue, usesConventions: false)
    }

    private init(
        _ client: RESTClient, _ identifier: String?, _ options: Options, _ queue: RequestQueue?, usesConventions: Bool
    ) {
        manager = ObjectManager(client: client, queue: queue)
        rails = RailsRouter(manager)
        self.identifier = identifier ?? client.baseURL.absoluteString
        self.options = options
        self.usesConventions = usesConventions
    }

    /// Creates a store for a Rails application.
    ///
    /// ```swift
    /// let remote = RESTStore(rails: client)       // Post: /posts, /posts/7, /posts/7/comments, {"post": {…}}
    /// let store = try await ManagedObjectStore.open(at: url, model: model, remote: remote)
    /// ```
    ///
    /// The classes of the model that have a mapping and a single attribute as identity are resources, with their to-many
    /// relationships. A class that is added with other names or a query is as it was added, and the others follow the
    /// conventions. Leave out local classes:
    ///
    /// ```swift
    /// remote.add(Person.self, id: \.personID, as: "user")                    // /users
    /// remote.leaveOut(Draft.self)                                           // only in the file
    /// ```
    ///
    /// - Parameters:
    ///   - client: The client of the application.
    ///   - identifier: Identifies the application and its user. Defaults to the base URL of the client.
    ///   - options: The options. Defaults to the default options.
    public convenience init(rails client: RESTClient, identifier: String? = nil, options: Options = Options()) {
        self.init(client, identifier, options, nil, usesConventions: true)
    }

    /// Creates a store for a Rails application at a URL; see ``init(rails:identifier:options:)-(RESTClient,_,_)``.
    public convenience init(rails site: URL, identifier: String? = nil, options: Options = Options()) {
        self.init(rails: RESTClient(baseURL: site), identifier: identifier, options: options)
    }

    // MARK: Resources

    /// Adds the path of all objects of a class.
    ///
    /// Routes, response descriptors and request descriptors are added to ``manager``.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - path: The path relative to the base URL.
    ///   - isComplete: Whether a response without query has all objects, so that others can be removed from the file.
    ///     Defaults to `true`. A response to a request with a query is never complete.
    ///   - evaluated: The parts of a fetch that the service evaluates by the query, for each fetch of the class. Conditions
    ///     are evaluated by the file again, but with `.range`, the result has only objects of the response: declare it only if
    ///     the query has all conditions and the order of any fetch. Defaults to none.
    ///   - query: Returns the query for a fetch. Defaults to none: the file evaluates the fetch.
    public func add<Object: ManagedObjectClass>(
        _ type: Object.Type, path: String, isComplete: Bool = true, evaluates evaluated: Set<RemoteObjects.Part> = [],
        query: @escaping @Sendable (RemoteFetch) -> FormValue = { _ in [:] }
    ) {
        let collection = Collection(
            type: type, path: path, query: query, evaluated: evaluated, isComplete: isComplete)
        collections.withLock { $0[type.entityName] = collection }
    }

    /// Adds a class as a resource of a Rails application.
    ///
    /// Each object is sent by its own request, new objects after those to which they refer. Nested attributes are not sent: a
    /// to-many `Relationship` of the mapping must be read-only. Relationships that have paths are added separately; see
    /// `add(_:id:relationship:as:)`.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - id: The property in the paths of objects.
    ///   - name: The name of the model. Defaults to that of the class, in lowercase with underscores.
    public func add<Object: ManagedObjectClass & Mappable, ID: FormValueConvertible & SendableMetatype>(
        _ type: Object.Type, id: any KeyPath<Object, ID> & Sendable, as name: String? = nil
    ) {
        rails.add(type, id: id, as: name)
        add(type, path: "/" + Inflector.plural(of: name ?? Inflector.elementName(of: type)))
    }

    /// Adds the resource of the objects in a relationship of a Rails application, such as `/posts/7/comments`.
    ///
    /// - Parameters:
    ///   - type: The class of the owner.
    ///   - id: The property in the path of the owner.
    ///   - relationship: The to-many relationship.
    ///   - name: The name of the owner's model. Defaults to that of its class, in lowercase with underscores.
    public func add<Object, Target: ManagedObjectClass & Mappable, ID: FormValueConvertible & SendableMetatype>(
        _ type: Object.Type, id: any KeyPath<Object, ID> & Sendable,
        relationship: any KeyPath<Object, [Target]> & Sendable, as name: String? = nil
    ) {
        rails.add(type, id: id, relationship: relationship, as: name)
    }

    /// Makes a class local that the conventions of a Rails application would make a resource.
    public func leaveOut(_ type: any ManagedObjectClass.Type) {
        localEntities.withLock { _ = $0.insert(type.entityName) }
    }

    // MARK: IncrementalStore

    /// Adds the classes of the model as resources of a Rails application that were neither added nor left out.
    public func willOpen(_ model: ObjectModel) {
        guard usesConventions else { return }
        let known = localEntities.withLock { $0 }.union(collections.withLock { $0.keys })
        func resource(_ entity: String) -> (any (ManagedObjectClass & Mappable).Type)? {
            model.type(of: entity) as? any (ManagedObjectClass & Mappable).Type
        }
        for entity in model.entities where entity.identity.count == 1 && !known.contains(entity.name) {
            guard let type = resource(entity.name) else { continue }
            let lists = entity.relationships.filter(\.isToMany).compactMap { relationship in
                resource(relationship.destination).map { (name: relationship.name, target: $0) }
            }
            func addResource<Object: ManagedObjectClass & Mappable>(_ type: Object.Type) {
                add(type, path: rails.add(type, identity: entity.identity[0], lists: lists))
            }
            addResource(type)
        }
    }

    /// Returns the identifier, and the entities whose classes were added.
    public func metadata() -> RemoteMetadata {
        RemoteMetadata(
            typeName: "REST", identifier: identifier, entities: Set(collections.withLock { $0.keys }),
            acceptsIdempotencyKeys: options.idempotencyField != nil)
    }

    /// Requests all pages of the path of a class.
    public func fetch(_ fetch: RemoteFetch) async throws -> RemoteObjects {
        guard let collection = collections.withLock({ $0[fetch.entity] }) else {
            throw RemoteError(.unsupported, "no path for '\(fetch.entity)'; add its class to the RESTStore")
        }
        let query = collection.query(fetch)
        let request = manager.client.request(.get, collection.path, query: query)
        let isComplete = collection.isComplete && query == [:]
        let version = ResponseVersion(manager, request, identifier, fetch.knownVersion)
        return try await objects(by: request, isComplete: isComplete, version).evaluates(collection.evaluated)
    }

    /// Creates the request of a step by the route and the request descriptor of the object.
    public func prepare(_ step: RemoteStep, for object: ManagedObject) throws -> (any Sendable)? {
        let (client, router) = (manager.client, manager.router)
        func request(_ method: HTTPMethod) throws -> RESTRequest {
            client.request(method, try router.path(for: object, method: method))
        }
        switch step {
        case .values: return try request(.get)
        case .relationship(let name): return client.request(.get, try router.path(for: object, relationship: name))
        case .save(.delete): return try request(.delete)
        case .save(.insert):
            return client.request(
                .post, try router.path(for: object, method: .post), try manager.bodies.body(of: object, .post))
        case .save(.update):
            let (method, unsent) = (options.updateMethod, try object.unsentValues())
            // Such as a relationship that only the file has.
            guard try manager.bodies.hasChanges(of: object, since: unsent, method) else { return NothingToSend() }
            let body =
                method == .patch
                ? try manager.bodies.body(ofChanges: object, since: unsent, method)
                : try manager.bodies.body(ofComplete: object, since: unsent, method)
            return client.request(method, try router.path(for: object, method: method), body)
        }
    }

    /// Requests the path of an object; `nil` for status 404 and 410.
    public func values(of object: RemoteObject) async throws -> RemoteObjects? {
        do {
            return RemoteObjects(of: try await manager.reply(to: try object.request))
        } catch let error as MappedRequestError {
            if let response = error.response, manager.isGone(response) { return nil }
            throw RemoteError(error)
        }
    }

    /// Requests all pages of the path of a relationship.
    public func values(of relationship: String, of object: RemoteObject) async throws -> RemoteObjects {
        try await objects(by: try object.request, isComplete: true)
    }

    /// Sends the request of a change: status 409, 412, 404 and 410 are conflicts, other statuses from 400 to 499 refusals.
    ///
    /// Relationships are sent as the mapping of the class writes them: by keys or nested. A change of which the mapping writes
    /// nothing is not sent.
    public func save(_ change: RemoteChange) async throws -> RemoteOutcome {
        if change.object.preparation is NothingToSend { return .saved(nil) }
        var request = try change.object.request
        if let field = options.idempotencyField { request.headers[field] = change.idempotencyKey }
        do {
            let reply = try await manager.reply(to: request)
            var objects = RemoteObjects(of: reply)
            if change.operation == .insert, let type = collections.withLock({ $0[change.object.entity]?.type }) {
                objects.identity = manager.parameters(inLocationOf: reply.response, for: type)
            }
            return .saved(objects)
        } catch let error as MappedRequestError {
            if change.operation == .delete, let response = error.response, manager.isGone(response) {
                return .saved(nil)
            }
            switch error.response?.status ?? 0 {
            case 404, 410, 409, 412: return .conflict(refusal(error, of: change.object))
            case 400..<500: return .refused(refusal(error, of: change.object))
            default: throw RemoteError(error)
            }
        }
    }

    /// Returns the reasons of a response by the properties of the class.
    private func refusal(_ error: MappedRequestError, of object: RemoteObject) -> RemoteRefusal {
        func properties(_ type: (some Mappable).Type) -> [String: String] { type.mapping.propertiesByKey }
        let type = collections.withLock { $0[object.entity]?.type } as? any Mappable.Type
        return RemoteRefusal(error, type.map { properties($0) } ?? [:])
    }

    /// Requests a list with all of its pages.
    ///
    /// - Parameter version: The version of the last response. Defaults to `nil`, for a list that is always requested.
    private func objects(
        by first: RESTRequest, isComplete: Bool, _ version: ResponseVersion? = nil
    ) async throws -> RemoteObjects {
        let pages = Pages(
            Pagination.linkHeader.limit(pages: options.maximumOfPages), of: first.url?.absoluteString ?? "",
            at: manager.client.baseURL,
            by: PageSource<Reply, Reply, any Error>(
                fetch: { [manager = self.manager] target in
                    guard case .url(let url) = target else {
                        return try await manager.reply(to: first, since: version?.earlier)
                    }
                    return try await manager.reply(to: manager.client.request(.get, url.absoluteString))
                }, read: { ($0, .init($0.response, count: nil)) }, didRead: { reply, _ in reply }))
        var replies: [Reply] = []
        do {
            for try await reply in pages {
                guard reply.confirmed == nil else { return .unchanged }
                replies.append(reply)
            }
        } catch let error as MappedRequestError {
            throw RemoteError(error)
        } catch let error as PageError {
            throw RemoteError(.invalidResult, error.description, underlying: error)
        }
        var objects = RemoteObjects(pages: replies)
        // An object that moves between pages while they are read is on none of them.
        let totals = Set(replies.map(\.response.totalCount))
        let hasTotal = replies.count == 1 || totals.count == 1 && totals.first != .some(nil)
        objects.isComplete = isComplete && hasTotal
        objects.expectedCount = totals.first ?? nil
        // The first page does not tell whether the others are current.
        if replies.count == 1 { objects.version = version?.text(of: replies[0].response) }
        return objects
    }
}

/// A change of which the mapping writes nothing.
private struct NothingToSend: Sendable {}

extension RemoteObject {
    /// The request that was prepared.
    fileprivate var request: RESTRequest {
        get throws(RemoteError) {
            guard let request = preparation as? RESTRequest else {
                throw RemoteError(.unsupported, "the object \(id) was not prepared for a request")
            }
            return request
        }
    }
}
