/// Describes the resources of a Rails application to an ``ObjectManager`` by the conventions of Rails.
///
/// ```swift
/// let rails = RailsRouter(manager)
/// rails.add(Post.self, id: \.postID, nested: ["comments"])             // /posts, /posts/7, {"post": {…}}
/// rails.add(Comment.self, id: \.commentID)                             // /comments, /comments/9
/// rails.add(Post.self, id: \.postID, relationship: \.comments)         // /posts/7/comments
///
/// try await manager.load("/posts")
/// try await manager.patch(post)                                        // PATCH /posts/7 {"post":{"title":"Kettles"}}
/// ```
///
/// It adds routes, response descriptors and request descriptors. Names are derived from types by the `Inflector`. Bodies have
/// the name of the model as root, and do not contain its `id`. Hyphens in keys are replaced by underscores. Bodies with
/// changes are sent as `application/json`, because Rails does not read merge patches. Deletions have no body.
public struct RailsRouter: Sendable {
    /// The format of bodies.
    public enum BodyFormat: Sendable, Hashable {
        /// JSON: `{"post": {"title": "Kettles"}}`.
        case json
        /// A form: `post[title]=Kettles`.
        case form
    }

    /// The manager to which resources are added.
    public let manager: ObjectManager
    private let format: BodyFormat

    /// Creates a router that adds resources to a manager.
    ///
    /// The client of the manager accepts JSON, unless it has another `Accept`: Rails selects the format by it.
    ///
    /// - Parameters:
    ///   - manager: The manager.
    ///   - format: The format of bodies. Defaults to JSON.
    public init(_ manager: ObjectManager, format: BodyFormat = .json) {
        self.manager = manager
        self.format = format
        if manager.client.headers["Accept"] == nil { manager.client.headers["Accept"] = "application/json" }
    }

    // MARK: Resources

    /// Adds a class of managed objects as a resource.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - id: The property in the paths of objects.
    ///   - name: The name of the model, such as `post`: the root of bodies, and its plural is the path `/posts`. Defaults to
    ///     that of the class, in lowercase with underscores.
    ///   - nested: The keys of to-many relationships that are sent with the object, at any level: `comments` is sent as
    ///     `comments_attributes`. An `id` that is null, 0 or empty is omitted there, so that Rails creates the child; the `id`
    ///     of others is written even if it is read-only. If the response has as many new children as were sent, the sent
    ///     ones receive its identities in this order. Otherwise, they have no identity, and are not sent with the object
    ///     again, also after a save and a restart, because Rails would create them twice: load the relationship, and delete
    ///     them here.
    ///     Defaults to none: other relationships of the mapping must be read-only, or values of a column.
    public func add<Object: ManagedObjectClass & Mappable, ID: FormValueConvertible & SendableMetatype>(
        _ type: Object.Type, id: any KeyPath<Object, ID> & Sendable, as name: String? = nil, nested: [String] = []
    ) {
        let collection = add(Object.mapping, name, nested) { RoutePath($0, id, "") }
        manager.responses.add(Object.mapping, path: collection)
        manager.responses.add(Object.mapping, path: collection + "/:id")
    }

    /// Adds a class with a single attribute as identity, and the relationships whose objects have paths.
    ///
    /// - Parameters:
    ///   - identity: The name of the attribute.
    ///   - lists: The names and the classes of to-many relationships.
    /// - Returns: The path of all objects.
    func add<Object: ManagedObjectClass & Mappable>(
        _ type: Object.Type, identity: String, lists: [(name: String, target: any (ManagedObjectClass & Mappable).Type)]
    ) -> String {
        let collection = add(Object.mapping, nil, []) { RoutePath($0, identity: identity) }
        manager.responses.add(Object.mapping, path: collection)
        manager.responses.add(Object.mapping, path: collection + "/:id")
        for list in lists {
            let path = "/" + Inflector.underscored(list.name)
            manager.router.add(type, relationship: list.name, RoutePath(collection + "/", identity: identity, path))
            func addResponses<Target: ManagedObjectClass & Mappable>(_ target: Target.Type) {
                manager.responses.add(Target.mapping, path: collection + "/:id" + path)
            }
            addResponses(list.target)
        }
        return collection
    }

    /// Adds a type that is not managed as a resource; see `add(_:id:as:nested:)` for the parameters.
    @_disfavoredOverload
    public func add<Model: Sendable & Mappable, ID: FormValueConvertible & SendableMetatype>(
        _ type: Model.Type, id: any KeyPath<Model, ID> & Sendable, as name: String? = nil, nested: [String] = []
    ) {
        let collection = add(Model.mapping, name, nested) { RoutePath($0, id, "") }
        manager.responses.add(Model.mapping, path: collection)
        manager.responses.add(Model.mapping, path: collection + "/:id")
    }

    /// Adds the routes and the bodies of a resource, and returns the path of its collection.
    private func add<Model>(
        _ mapping: Mapping<Model>, _ name: String?, _ nested: [String], _ path: (String) -> RoutePath<Model>
    ) -> String {
        let name = name ?? Inflector.elementName(of: Model.self)
        let collection = "/" + Inflector.plural(of: name)
        manager.router.add(Model.self, .post, RoutePath(stringLiteral: collection))
        manager.router.add(Model.self, path(collection + "/"))
        manager.bodies.add(
            // Rails creates a child without its identity again.
            nested.isEmpty ? mapping : mapping.writingIdentities(), root: JSONKeyPath(components: [name]),
            methods: nil, options: WritingOptions(),
            format: RailsFormat(isForm: format == .form, nested: Set(nested)), addsChildren: !nested.isEmpty)
        return collection
    }

    // MARK: Relationships

    /// Adds the resource of the objects in a relationship, such as `/posts/7/comments`.
    ///
    /// - Parameters:
    ///   - type: The type of the owner.
    ///   - id: The property in the path of the owner.
    ///   - relationship: The to-many relationship. Its name in the path is that of the property with underscores.
    ///   - name: The name of the owner's model. Defaults to that of its type, in lowercase with underscores.
    public func add<
        Object, Target: ManagedObjectClass & Mappable, ID: FormValueConvertible & SendableMetatype
    >(
        _ type: Object.Type, id: any KeyPath<Object, ID> & Sendable,
        relationship: any KeyPath<Object, [Target]> & Sendable, as name: String? = nil
    ) {
        let path = add(id, relationship, name)
        manager.responses.add(Target.mapping, path: path)
    }

    /// Adds the resource of models that are not managed; see `add(_:id:relationship:as:)` for the parameters.
    @_disfavoredOverload
    public func add<Object, Target: Sendable & Mappable, ID: FormValueConvertible & SendableMetatype>(
        _ type: Object.Type, id: any KeyPath<Object, ID> & Sendable,
        relationship: any KeyPath<Object, [Target]> & Sendable, as name: String? = nil
    ) {
        let path = add(id, relationship, name)
        manager.responses.add(Target.mapping, path: path)
    }

    /// Adds the route of a relationship, and returns its path.
    private func add<Object, Target, ID: FormValueConvertible & SendableMetatype>(
        _ id: any KeyPath<Object, ID> & Sendable, _ relationship: any KeyPath<Object, [Target]> & Sendable,
        _ name: String?
    ) -> String {
        let name = name ?? Inflector.elementName(of: Object.self)
        let collection = "/" + Inflector.plural(of: name) + "/"
        let member = "/" + Inflector.underscored(relationship.propertyPath)
        manager.router.add(Object.self, relationship: relationship, RoutePath(collection, id, member))
        return collection + ":\(name)_id" + member
    }
}

extension RoutePath {
    /// A path with a property between two texts.
    fileprivate init<Value: FormValueConvertible & SendableMetatype>(
        _ start: String, _ property: any KeyPath<Object, Value> & Sendable, _ end: String
    ) {
        var path = StringInterpolation(literalCapacity: 0, interpolationCount: 1)
        path.appendLiteral(start)
        path.appendInterpolation(property)
        path.appendLiteral(end)
        self.init(stringInterpolation: path)
    }
}
