/// A path of a service with the objects and methods that it belongs to; see ``Router``.
struct Route: Sendable {
    let template: PathTemplate
    let methods: MethodSet
    /// The properties by the names of their parameters, for messages.
    var properties: [String: String] = [:]
    /// The text of a parameter of an object, which has the class of the route.
    var text: @Sendable (_ parameter: String, _ object: Any) -> String? = { _, _ in nil }

    /// Returns the values of parameters by their properties.
    func named(_ values: [String: String]) -> [String: String] {
        if properties.isEmpty { return values }
        return Dictionary(
            values.map { (properties[$0.key] ?? $0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    init(_ path: String, _ methods: Set<HTTPMethod>?) {
        template = PathTemplate(path.hasPrefix("/") || PathTemplate(path).hasServer ? path : "/" + path)
        self.methods = MethodSet(methods: methods)
    }

    init<Object>(_ path: RoutePath<Object>, _ methods: Set<HTTPMethod>?) {
        self.init(path.text, methods)
        properties = path.parameters.mapValues(\.property)
        text = { name, object in (object as? Object).flatMap { path.parameters[name]?.text($0) } }
    }
}
