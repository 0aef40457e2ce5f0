/// A value of a query or a form: null, a text, a list or named fields.
///
/// Literals create lists and fields from ``FormValueConvertible`` values, with fields in the order of the literal:
///
/// ```swift
/// let person: FormValue = ["name": name, "tags": ["a", "b"], "born": date]
/// let form: FormValue = ["person": person]      // person[name]=…&person[tags][]=a&person[tags][]=b&person[born]=…
/// ```
///
/// Within a literal, fields of several types need an explicit type: `["person": ["name": name, "age": 30] as
/// FormValue]`.
public enum FormValue: Sendable, Hashable {
    /// A name without a value: `name`.
    case null
    /// A value: `name=text`.
    case text(String)
    /// Values with one name, each as `name[]=…`.
    ///
    /// An empty list is omitted, because a form cannot represent it.
    case list([FormValue])
    /// Fields below a name, each as `name[field]=…`.
    ///
    /// For fields in a list, `name[][field]=…`, most servers start a new element when a field name is repeated. All
    /// elements of a list should therefore have the same first field.
    case fields([Field])

    /// A named value.
    public struct Field: Sendable, Hashable {
        /// The name, without the names of enclosing fields.
        public var name: String
        /// The value.
        public var value: FormValue

        /// Creates a field.
        public init(name: String, value: FormValue) {
            self.name = name
            self.value = value
        }
    }

    /// Creates fields from a dictionary, sorted by name, so that equal dictionaries are equal forms.
    public init(_ dictionary: [String: any FormValueConvertible]) {
        let sorted = dictionary.sorted { $0.key < $1.key }
        self = .fields(sorted.map { Field(name: $0.key, value: $0.value.formValue) })
    }
}

extension FormValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    /// Creates fields in the order of the literal.
    public init(dictionaryLiteral elements: (String, any FormValueConvertible)...) {
        self = .fields(elements.map { Field(name: $0.0, value: $0.1.formValue) })
    }

    /// Creates a list.
    public init(arrayLiteral elements: any FormValueConvertible...) {
        self = .list(elements.map(\.formValue))
    }
}

extension URLQueryItem: FormValueConvertible {
    /// A field with the item's name and value; without a value, only the name.
    public var formValue: FormValue { .fields([.init(name: name, value: value.formValue)]) }
}

extension FormValue {
    /// Returns the text of a query from fields, or from a list of fields such as `[URLQueryItem]`.
    func queryText() throws(RequestError) -> String {
        switch self {
        case .fields, .null: return formEncoded
        case .list(let parts):
            var texts: [String] = []
            for part in parts { texts.append(try part.queryText()) }
            return texts.joined(separator: "&")
        case .text:
            throw RequestError(
                .invalidURL,
                "a query consists of names with values, such as [\"page\": 2]; this one has a value without a name"
            )
        }
    }
}

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
