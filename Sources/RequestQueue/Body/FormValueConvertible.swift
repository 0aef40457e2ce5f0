/// A type that can be a value in a query or a form: texts (``FormText``), and lists and dictionaries of them.
public protocol FormValueConvertible {
    /// The value in a query or a form.
    var formValue: FormValue { get }
}

extension FormValue: FormValueConvertible {
    /// The value itself.
    public var formValue: FormValue { self }
}

extension Optional: FormValueConvertible where Wrapped: FormValueConvertible {
    /// The wrapped value, or null.
    public var formValue: FormValue { self?.formValue ?? .null }
}

extension Array: FormValueConvertible where Element: FormValueConvertible {
    /// The elements as a list.
    public var formValue: FormValue { .list(map(\.formValue)) }
}

extension Dictionary: FormValueConvertible where Key == String, Value: FormValueConvertible {
    /// The entries as fields, sorted by key.
    public var formValue: FormValue { FormValue(self) }
}

extension KeyValuePairs: FormValueConvertible where Key == String, Value: FormValueConvertible {
    /// The pairs as fields, in order.
    public var formValue: FormValue { .fields(map { .init(name: $0.key, value: $0.value.formValue) }) }
}
