extension FormValue: RequestSerializable {
    /// `application/x-www-form-urlencoded`.
    public var contentType: String { "application/x-www-form-urlencoded" }

    /// The form; of a list or a single value, which has no names, none can be made.
    public func makeBodyData() throws -> Data? {
        guard case .fields = self else {
            throw RequestError(.invalidBody, "a form has named fields, and this one is a list or a single value")
        }
        try checkDepth()
        return Data(formEncoded.utf8)
    }
}

extension RequestSerializable where Self == FormValue {
    /// A form of fields in the order in which they are written, as `.form(["name": name, "age": 30])`.
    public static func form(_ fields: FormValue) -> FormValue { fields }
}

/// A dictionary is the body of a form, sorted by its keys.
extension Dictionary: RequestSerializable where Key == String, Value: FormValueConvertible {
    /// That of a form.
    public var contentType: String { formValue.contentType }
    /// The form.
    public func makeBodyData() throws -> Data? { try formValue.makeBodyData() }
    /// The form as a value.
    public func snapshot() -> any RequestSerializable & Sendable { formValue }
}

/// Pairs are the body of a form, in their order.
extension KeyValuePairs: RequestSerializable where Key == String, Value: FormValueConvertible {
    /// That of a form.
    public var contentType: String { formValue.contentType }
    /// The form.
    public func makeBodyData() throws -> Data? { try formValue.makeBodyData() }
    /// The form as a value.
    public func snapshot() -> any RequestSerializable & Sendable { formValue }
}
