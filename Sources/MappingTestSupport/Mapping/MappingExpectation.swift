/// What is expected of one property of a model.
struct MappingExpectation<Model> {
    /// What is expected, for messages.
    let name: String
    /// The property, and those it is reached through.
    let path: [String]
    /// What is wrong with a model; nil if the expectation is met.
    let unmet: (Model) -> String?
}

/// What a closure says against a value; nil if nothing.
func unmet<Value>(_ value: Value, _ isMet: (Value) throws -> Bool) -> String? {
    do {
        return try isMet(value) ? nil : "the closure answered false"
    } catch {
        return "the closure threw \(error)"
    }
}

/// A property as its key path spells it, as `address?.city`.
func propertyName(_ keyPath: AnyKeyPath) -> String {
    let text = String(describing: keyPath)
    guard let start = text.lastIndex(of: "\\"), !text.contains("<computed"),
        let dot = text[start...].firstIndex(of: ".")
    else { return "a computed or observed property" }
    return String(text[dot...].dropFirst())
}

/// The names that a key path goes through.
func propertyPath(_ text: String) -> [String] {
    text.split(separator: ".").map { name in String(name.prefix { !"?![".contains($0) }) }
}

/// A value for a message: optionals without their wrapping, and not too long.
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
