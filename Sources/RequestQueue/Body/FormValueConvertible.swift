/// What can be a value of a query or a form: texts (``FormText``), and lists and dictionaries of them.
public protocol FormValueConvertible {
    /// What it is in a query or a form.
    var formValue: FormValue { get }
}

extension FormValue: FormValueConvertible {
    /// It itself.
    public var formValue: FormValue { self }
}

extension Optional: FormValueConvertible where Wrapped: FormValueConvertible {
    /// Its value, or null.
    public var formValue: FormValue { self?.formValue ?? .null }
}

extension Array: FormValueConvertible where Element: FormValueConvertible {
    /// Its elements as a list.
    public var formValue: FormValue { .list(map(\.formValue)) }
}

extension Dictionary: FormValueConvertible where Key == String, Value: FormValueConvertible {
    /// Its entries as fields, sorted by key.
    public var formValue: FormValue { FormValue(self) }
}

extension KeyValuePairs: FormValueConvertible where Key == String, Value: FormValueConvertible {
    /// Its pairs as fields, in their order.
    public var formValue: FormValue { .fields(map { .init(name: $0.key, value: $0.value.formValue) }) }
}
