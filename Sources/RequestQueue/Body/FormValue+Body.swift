extension FormValue: RequestSerializable {
    public var contentType: String { "application/x-www-form-urlencoded" }

    public var contentLength: Int64? { Int64(formEncoded.utf8.count) }

    public func makeBodyData() throws -> Data? { Data(formEncoded.utf8) }

    /// The form as bytes, so that it is encoded once however often it is sent.
    public func snapshot() -> any RequestSerializable & Sendable {
        guard case .fields = self else {
            return DataBody(mistake: "a form has named fields, and this one is a list or a single value", contentType)
        }
        return DataBody(Data(formEncoded.utf8), contentType: contentType)
    }
}

extension RequestSerializable where Self == FormValue {
    /// A form of fields in the order in which they are written, as `.form(["name": name, "age": 30])`.
    public static func form(_ fields: FormValue) -> FormValue { fields }
}

/// A dictionary is the body of a form, sorted by its keys.
extension Dictionary: RequestSerializable where Key == String, Value: FormValueConvertible {
    public var contentType: String { formValue.contentType }
    public var contentLength: Int64? { formValue.contentLength }
    public func makeBodyData() throws -> Data? { try formValue.makeBodyData() }
    public func snapshot() -> any RequestSerializable & Sendable { formValue.snapshot() }
}

/// Pairs are the body of a form, in their order.
extension KeyValuePairs: RequestSerializable where Key == String, Value: FormValueConvertible {
    public var contentType: String { formValue.contentType }
    public var contentLength: Int64? { formValue.contentLength }
    public func makeBodyData() throws -> Data? { try formValue.makeBodyData() }
    public func snapshot() -> any RequestSerializable & Sendable { formValue.snapshot() }
}
