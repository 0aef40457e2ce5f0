/// An expectation of one property of a model.
struct MappingExpectation<Model> {
    /// The name of the expectation in messages.
    let name: String
    /// The property, after the properties through which it is reached.
    let path: [String]
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

/// Returns the property of a key path as it is written, such as `address?.city`.
func propertyName(_ keyPath: AnyKeyPath) -> String {
    let text = String(describing: keyPath)
    guard let start = text.lastIndex(of: "\\"), !text.contains("<computed"),
        let dot = text[start...].firstIndex(of: ".")
    else { return "a computed or observed property" }
    return String(text[dot...].dropFirst())
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
