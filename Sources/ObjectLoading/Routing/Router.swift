import MappingLog
import Synchronization

/// The paths of a service, by class, relationship or name.
///
/// ```swift
/// router.add(ProjectTask.self, "/tasks/\(\.taskID)")                                 // any method
/// router.add(ProjectTask.self, .post, "/projects/\(\.project?.projectID)/tasks")
/// router.add(Project.self, relationship: \.tasks, "/projects/\(\.projectID)/tasks")
/// router.add(named: "search", "/search/:term")
///
/// try router.path(for: task)                              // /tasks/7
/// try router.path(named: "search", ["term": "a/b"])       // /search/a%2Fb
/// ```
///
/// A route for one method precedes one for several methods, and this one precedes a route for any method. Two routes for the
/// same object and method are a mistake, which is logged when the second one is added, and thrown when one of them is used.
public final class Router: Sendable {
    private struct State {
        var routes: [Subject: [Route]] = [:]
        /// All routes, and their numbers by their paths.
        var all: [Entry] = []
        var index = PathIndex()
    }

    /// A class, because candidates are copied for each path.
    private final class Entry: Sendable {
        let subject: Subject
        let route: Route

        init(_ subject: Subject, _ route: Route) { (self.subject, self.route) = (subject, route) }
    }

    private let state = Mutex(State())

    /// Creates a router without routes.
    public init() {}

    // MARK: Adding routes

    /// Adds the path of the objects of a class, for any method.
    ///
    /// - Parameters:
    ///   - type: The class or struct.
    ///   - path: The path relative to the base URL of the client, with key paths of properties.
    public func add<Object>(_ type: Object.Type, _ path: RoutePath<Object>) {
        add(Route(path, nil), for: .objects(of: type))
    }

    /// Adds the path of the objects of a class for a method.
    public func add<Object>(_ type: Object.Type, _ method: HTTPMethod, _ path: RoutePath<Object>) {
        add(Route(path, [method]), for: .objects(of: type))
    }

    /// Adds the path of the objects of a class for several methods.
    public func add<Object>(_ type: Object.Type, methods: Set<HTTPMethod>, _ path: RoutePath<Object>) {
        add(Route(path, methods), for: .objects(of: type))
    }

    /// Adds the path of the objects in a relationship.
    ///
    /// - Parameters:
    ///   - type: The class of the owner.
    ///   - relationship: The property of the owner.
    ///   - path: The path, with key paths of properties of the owner.
    ///   - methods: The methods. Defaults to any.
    public func add<Object, Target>(
        _ type: Object.Type, relationship: any KeyPath<Object, Target> & Sendable, _ path: RoutePath<Object>,
        methods: Set<HTTPMethod>? = nil
    ) {
        add(Route(path, methods), for: .relationship(of: type, relationship))
    }

    /// Adds the path of the objects in a relationship by its name.
    func add<Object>(_ type: Object.Type, relationship name: String, _ path: RoutePath<Object>) {
        add(Route(path, nil), for: .relationship(of: type, named: name))
    }

    // Overloads: Swift does not skip a default in the middle.

    /// Adds a path with a name, for GET.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - path: The path, with parameters such as `:term`.
    public func add(named name: String, _ path: String) { add(named: name, .get, path) }

    /// Adds a path with a name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - method: The method of the request.
    ///   - path: The path, with parameters such as `:term`.
    public func add(named name: String, _ method: HTTPMethod, _ path: String) {
        add(Route(path, [method]), for: .name(name))
    }

    private func add(_ route: Route, for subject: Subject) {
        let earlier = state.withLock { state in
            defer {
                state.routes[subject, default: []].append(route)
                state.index.insert(state.all.count, for: route.template)
                state.all.append(Entry(subject, route))
            }
            return state.routes[subject]?.first { subject.isName || $0.methods.overlaps(route.methods) }
        }
        if let earlier { LogMessage.log(.objectLoading, .error, duplicate(earlier, route, subject).description) }
    }

    private func duplicate(_ first: Route, _ second: Route, _ subject: Subject) -> RouteError {
        RouteError(
            .duplicate,
            "\(subject) has two routes for \(second.methods.names()), '\(first.template)' and '\(second.template)'; remove one "
                + "of them")
    }

    // MARK: Paths

    /// Returns the path of an object.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - method: The method of the request. Defaults to `.get`.
    /// - Throws: `RouteError` if there is no route, or if one of its parameters has no value.
    public func path<Object>(for object: Object, method: HTTPMethod = .get) throws(RouteError) -> String {
        try path(of: object, .objects(of: type(of: object as Any)), method)
    }

    /// Returns the path of the objects in a relationship.
    ///
    /// - Parameters:
    ///   - object: The owner.
    ///   - relationship: The property of the owner.
    ///   - method: The method of the request. Defaults to `.get`.
    /// - Throws: `RouteError` if there is no route, or if one of its parameters has no value.
    public func path<Object, Target>(
        for object: Object, relationship: any KeyPath<Object, Target> & Sendable, method: HTTPMethod = .get
    ) throws(RouteError) -> String {
        try path(of: object, .relationship(of: Object.self, relationship), method)
    }

    /// Returns the path of the object of a class that has an identity, for GET.
    func path<Object: ManagedObject>(
        for type: Object.Type, identity: [any FormValueConvertible]
    ) throws(RouteError) -> String {
        let subject = Subject.objects(of: type)
        let route = try route(of: subject, .get)
        let names = type.identityNames
        guard identity.count <= names.count else {
            throw RouteError(
                .invalidValue(parameter: names.joined(separator: ", ")),
                "\(subject) has the identity '\(names.joined(separator: "', '"))': expected \(names.count) values or fewer, "
                    + "found \(identity.count)")
        }
        return try path(of: route, subject) { name in
            let property = route.properties[name] ?? name
            guard let index = type.identityNames.firstIndex(of: property), identity.indices.contains(index),
                case .text(let text) = identity[index].formValue, !text.isEmpty
            else { return nil }
            return text
        }
    }

    /// Returns the path of the objects in a relationship by its name.
    func path(for object: Any, relationship name: String) throws(RouteError) -> String {
        try path(of: object, .relationship(of: type(of: object), named: name), .get)
    }

    /// Returns the path with a name.
    ///
    /// - Parameters:
    ///   - name: The name of the route.
    ///   - values: The values of its parameters.
    /// - Throws: `RouteError` if there is no such route, or if one of its parameters has no value.
    public func path(
        named name: String, _ values: [String: any FormValueConvertible] = [:]
    ) throws(RouteError) -> String {
        try namedRoute(name, values).path
    }

    /// Returns the method and the path of a name.
    func namedRoute(
        _ name: String, _ values: [String: any FormValueConvertible]
    ) throws(RouteError) -> (method: HTTPMethod, path: String) {
        let subject = Subject.name(name)
        let route = try route(of: subject, nil)
        let path = try path(of: route, subject) { name in
            guard case .text(let text)? = values[name]?.formValue else { return nil }
            return text
        }
        return (route.methods.methods?.first ?? .get, path)
    }

    private func path(of object: Any, _ subject: Subject, _ method: HTTPMethod) throws(RouteError) -> String {
        let route = try route(of: subject, method)
        // Properties are code of the user: they are read without the lock.
        return try path(of: route, subject) { route.text($0, object) }
    }

    private func path(
        of route: Route, _ subject: Subject, filling value: (String) -> String?
    ) throws(RouteError) -> String {
        do throws(PathTemplate.FillError) { return try route.template.path(filling: value) } catch {
            switch error {
            case .missing(let name):
                let property = route.properties[name] ?? name
                throw RouteError(
                    .missingValue(parameter: property),
                    "the path '\(route.template)' of \(subject) needs a value for '\(property)', which is nil or was never "
                        + "assigned")
            case .dots(let name, _):
                let property = route.properties[name] ?? name
                throw RouteError(
                    .invalidValue(parameter: property),
                    "the path '\(route.template)' of \(subject) needs a value for '\(property)' other than '.' and '..'"
                )
            case .emptySegment, .invalidTemplate:
                var reason = ""
                if case .invalidTemplate(let defect) = error { reason = ": " + defect }
                throw RouteError(.unknownRoute, "the path '\(route.template)' of \(subject) is invalid\(reason)")
            case .wildcard:
                throw RouteError(
                    .unknownRoute,
                    "the path '\(route.template)' of \(subject) only matches paths, because it ends with '*'")
            }
        }
    }

    /// - Parameter method: The method; `nil` for the only route of a name.
    private func route(of subject: Subject, _ method: HTTPMethod?) throws(RouteError) -> Route {
        let routes = state.withLock { $0.routes[subject] ?? [] }
        var found: Route?
        // Another route that is equal to the found one.
        var other: Route?
        for route in routes where method.map(route.methods.contains) ?? true {
            if let current = found {
                if method != nil, route.methods.precedes(current.methods) {
                    (found, other) = (route, nil)
                } else if other == nil, method == nil || route.methods.overlaps(current.methods) {
                    other = route
                }
            } else {
                found = route
            }
        }
        guard let found else { throw unknown(subject, method) }
        if let other { throw duplicate(found, other, subject) }
        return found
    }

    private func unknown(_ subject: Subject, _ method: HTTPMethod?) -> RouteError {
        let known = state.withLock { $0.routes }
        let others = known[subject].map { $0.map { $0.methods.names() }.joined(separator: "; ") }
        let found =
            others.map { "; its routes are for \($0)" }
            ?? suggestionText(
                nearestNames(to: subject.name, among: known.keys.filter { $0.isName == subject.isName }.map(\.name)))
        return RouteError(
            .unknownRoute, "no route for \(subject)\(method.map { " with \($0)" } ?? "")\(found); add it to the router")
    }

    // MARK: Routes of paths

    /// Returns the values in a path of an object by property; empty if it does not match the route of the class for GET.
    func parameters(in path: String, of type: Any.Type) -> [String: String] {
        guard let route = try? route(of: .objects(of: type), .get), let values = route.template.match(encodedPath: path)
        else { return [:] }
        return route.named(values)
    }

    /// A route that matches a path.
    public struct Match: Sendable {
        /// The class of the objects; `nil` for a named route.
        public let type: Any.Type?
        /// The name of the relationship or of the route; `nil` for the route of a class.
        public let name: String?
        /// The percent-decoded values of the parameters, by property or name.
        public let parameters: [String: String]

        fileprivate init(_ subject: Subject, _ route: Route, _ values: [String: String]) {
            (type, name, parameters) = (subject.type, subject.memberName, route.named(values))
        }
    }

    /// Returns the most specific route that matches a path; `nil` if none does.
    ///
    /// - Parameters:
    ///   - path: The path relative to the base URL; a query is ignored.
    ///   - method: The method of the request. Defaults to `.get`.
    public func match(_ path: String, method: HTTPMethod = .get) -> Match? {
        let end = path.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let path = end.map { String(path[..<$0]) } ?? path
        let candidates = state.withLock { state in state.index.candidates(for: path).map { state.all[$0] } }
        if candidates.count == 1 {
            let route = candidates[0].route
            guard route.methods.contains(method) else { return nil }
            return route.template.match(encodedPath: path).map { Match(candidates[0].subject, route, $0) }
        }
        var best: (subject: Subject, route: Route, values: [String: String])?
        for (subject, candidates) in Dictionary(grouping: candidates, by: { $0.subject }) {
            let matches = candidates.compactMap { candidate in
                candidate.route.template.match(encodedPath: path).map { (route: candidate.route, values: $0) }
            }
            guard let (route, values) = MethodSet.first(in: matches, for: method, { $0.route.methods }) else {
                continue
            }
            if let best, !route.template.isMoreSpecific(than: best.route.template) {
                // Equal templates of several classes: the order of the names decides, not that of the dictionary.
                let isEqual = !best.route.template.isMoreSpecific(than: route.template)
                guard isEqual, subject.description < best.subject.description else { continue }
            }
            best = (subject, route, values)
        }
        return best.map { Match($0.subject, $0.route, $0.values) }
    }
}
