/// An expectation of one property of a model.
struct MappingExpectation<Model> {
    /// The name of the expectation in messages.
    let name: String
    /// The property, after the properties through which it is reached; empty if its name is unknown.
    let path: [String]
    /// Whether it is the value of a property, which a rule should set.
    var isProperty = true
    /// Returns the failure message for a model; `nil` if the expectation is met.
    let unmet: (Model) -> String?
}

/// Returns the failure message of a closure for a value; `nil` if the closure returns true.
func unmet<Value>(_ value: Value, _ isMet: (Value) throws -> Bool) -> String? {
    do {
        return try isMet(value) ? nil : "the closure returned false"
    } catch {
        return "the closure threw \(error)"
    }
}

/// Returns the property of a key path as it is written, such as `address?.city`, or a description of a value that is
/// computed from it, such as `tags.count`.
func propertyName(_ keyPath: AnyKeyPath) -> (text: String, path: [String]) {
    let text = String(describing: keyPath)
    let start = text.lastIndex(of: "\\") ?? text.startIndex
    let stored = text[start...].firstRange(of: ".<computed").map { text[..<$0.lowerBound] } ?? text[...]
    let name = stored[start...].drop { $0 != "." }.dropFirst()
    let path = propertyPath(String(name))
    if stored.endIndex == text.endIndex { return (String(name), path) }
    return (name.isEmpty ? "a computed or observed property" : "a computed value of \(name)", path)
}

/// Returns the names of the properties in a key path.
func propertyPath(_ text: String) -> [String] {
    text.split(separator: ".").map { name in String(name.prefix { !"?![".contains($0) }) }
}

/// Returns a value for a message: without `Optional(…)`, and with limited length.
func spelled(_ value: Any) -> String {
    let text = (value as? any OptionalValue).map(\.spelled) ?? String(reflecting: value)
    return text.count <= 300 ? text : "\(text.prefix(300))…"
}

private protocol OptionalValue {
    var spelled: String { get }
}

extension Optional: OptionalValue {
    fileprivate var spelled: String { map { MappingTestSupport.spelled($0) } ?? "nil" }
}
