/// A value of a form or a query: one field, or several.
///
/// Texts, numbers, `Bool`, `Date`, `Decimal`, `UUID` and `URL` are one field (``FormText``); a list is a field
/// `name[]` for each element, a dictionary a field `name[key]` for each member in the order of keys, nested as deep as
/// they are; nil is no field.
public protocol FormValue: Sendable {
    /// The fields that the value is under a name, in their order.
    func fields(named name: String) -> [(name: String, text: String)]
}

extension Array: FormValue where Element: FormValue {
    public func fields(named name: String) -> [(name: String, text: String)] {
        flatMap { $0.fields(named: name + "[]") }
    }
}

extension Dictionary: FormValue where Key == String, Value: FormValue {
    public func fields(named name: String) -> [(name: String, text: String)] {
        sorted { $0.key < $1.key }.flatMap { $1.fields(named: "\(name)[\($0)]") }
    }
}

extension Optional: FormValue where Wrapped: FormValue {
    public func fields(named name: String) -> [(name: String, text: String)] { self?.fields(named: name) ?? [] }
}
