extension FormValue: RequestSerializable {
    /// `application/x-www-form-urlencoded`.
    public var contentType: String { "application/x-www-form-urlencoded" }

    /// Returns the encoded form.
    ///
    /// - Throws: An error of kind `invalidBody` for a list or a single value, which has no field names.
    public func makeBodyData() throws -> Data? {
        guard case .fields = self else {
            throw RequestError(.invalidBody, "expected a form with named fields, found a list or a single value")
        }
        try checkDepth()
        return Data(formEncoded.utf8)
    }

    /// Returns the form itself.
    public func snapshot() -> any RequestSerializable & Sendable { self }
}

extension RequestSerializable where Self == FormValue {
    /// Creates a form with fields in the order of the literal, such as `.form(["name": name, "age": 30])`.
    public static func form(_ fields: FormValue) -> FormValue { fields }
}

/// A dictionary is sent as a form, sorted by key.
extension Dictionary: RequestSerializable where Key == String, Value: FormValueConvertible {}

/// Pairs are sent as a form, in order.
extension KeyValuePairs: RequestSerializable where Key == String, Value: FormValueConvertible {}

extension RequestSerializable where Self: FormValueConvertible {
    /// The content type of a form.
    public var contentType: String { formValue.contentType }

    /// Returns the encoded form.
    public func makeBodyData() throws -> Data? { try formValue.makeBodyData() }

    /// Returns the form.
    public func snapshot() -> any RequestSerializable & Sendable { formValue }
}
