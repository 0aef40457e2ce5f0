import Synchronization

/// The values in the path of a request, by the names of its pattern, and those of its query.
///
/// ```swift
/// manager.offline.add("/projects/:projectID/tasks") { parameters in
///     [ProjectTask.where { $0.project.projectID == parameters["projectID"] }]
/// }
/// ```
public struct PathParameters: Sendable {
    private let values: [String: String]
    private let items: [String: String]
    private let usage: Usage

    /// The names in the query of the request that were read.
    final class Usage: Sendable {
        private let names = Mutex<Set<String>>([])

        var readNames: Set<String> { names.withLock { $0 } }

        func note(_ name: String) { names.withLock { _ = $0.insert(name) } }
    }

    init(_ values: [String: String], query items: [String: String], _ usage: Usage) {
        (self.values, self.items, self.usage) = (values, items, usage)
    }

    /// The percent-decoded text of a parameter; `nil` if the pattern does not have it.
    public subscript(name: String) -> String? { values[name] }

    /// A parameter, to compare it with an attribute of any type.
    @_disfavoredOverload public subscript(name: String) -> PathParameter {
        PathParameter(name: name, text: values[name], names: values.keys.sorted())
    }

    /// Returns a value in the query of the request, percent-decoded; `nil` if the request does not have it.
    ///
    /// A request whose query has other values than those that are read is not pruned: they could be a filter.
    public func query(_ name: String) -> String? {
        usage.note(name)
        return items[name]
    }
}

/// A value in the path of a request, for the condition of a query.
///
/// It is compared as a value of the attribute. If it has another type, such as `abc` for a number, the query throws.
public struct PathParameter: Sendable {
    let name: String
    let text: String?
    /// The names of all parameters, for messages.
    let names: [String]

    /// Whether the value of an attribute is equal to that of the parameter.
    public static func == <Root, Value>(
        value: QueryValue<Root, Value>, parameter: PathParameter
    ) -> QueryPredicate<Root> {
        guard let text = parameter.text else {
            return QueryValue<Root, Value>.missingText(named: parameter.name, among: parameter.names)
        }
        return value.isEqual(toText: text, named: parameter.name)
    }

    /// Whether the value of an attribute differs from that of the parameter.
    public static func != <Root, Value>(
        value: QueryValue<Root, Value>, parameter: PathParameter
    ) -> QueryPredicate<Root> {
        !(value == parameter)
    }
}
