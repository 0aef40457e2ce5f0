/// The methods of a route or a descriptor: one, several, or any.
struct MethodSet: Sendable {
    /// `nil` for any.
    let methods: Set<HTTPMethod>?

    /// The precedence: one method, several methods, any method.
    private var rank: Int { methods.map { $0.count == 1 ? 0 : 1 } ?? 2 }

    func contains(_ method: HTTPMethod) -> Bool { methods?.contains(method) ?? true }

    /// Whether neither precedes the other for a method that both contain.
    func overlaps(_ other: MethodSet) -> Bool {
        guard rank == other.rank else { return false }
        guard let methods, let others = other.methods else { return true }
        return !methods.isDisjoint(with: others)
    }

    /// Whether the methods are more specific than others.
    func precedes(_ other: MethodSet) -> Bool { rank < other.rank }

    /// Returns the element with the most specific methods that contain a method.
    static func first<Element>(
        in elements: [Element], for method: HTTPMethod, _ methods: (Element) -> MethodSet
    ) -> Element? {
        elements.filter { methods($0).contains(method) }.min { methods($0).rank < methods($1).rank }
    }

    /// The names in alphabetical order.
    func names(separator: String = ", ") -> String {
        methods.map { $0.map(\.rawValue).sorted().joined(separator: separator) } ?? "any method"
    }
}
