/// A value of a query or a form: nothing, a text, a list or named fields.
///
/// Literals make lists and fields of whatever is ``FormValueConvertible``, fields in the order in which they are written:
///
/// ```swift
/// let person: FormValue = ["name": name, "tags": ["a", "b"], "born": date]
/// let form: FormValue = ["person": person]      // person[name]=…&person[tags][]=a&person[tags][]=b&person[born]=…
/// ```
///
/// Within a literal, fields of several types need their type: `["person": ["name": name, "age": 30] as FormValue]`.
public enum FormValue: Sendable, Hashable {
    /// A name without a value: `name`.
    case null
    /// A value: `name=text`.
    case text(String)
    /// Values of one name, each `name[]=…`. An empty list is not in the form at all, which has no way to say it.
    case list([FormValue])
    /// Fields below a name, each `name[field]=…`. Of fields in a list, `name[][field]=…`, most servers begin a new element
    /// where a field's name comes again: let all elements of a list have the same first field.
    case fields([Field])

    /// A named value.
    public struct Field: Sendable, Hashable {
        /// The name, without those of the fields that it is in.
        public var name: String
        /// The value.
        public var value: FormValue

        /// A value under a name.
        public init(name: String, value: FormValue) {
            self.name = name
            self.value = value
        }
    }

    /// Creates fields of the entries of a dictionary, sorted by name, so that equal dictionaries are equal forms.
    public init(_ dictionary: [String: any FormValueConvertible]) {
        let sorted = dictionary.sorted { $0.key < $1.key }
        self = .fields(sorted.map { Field(name: $0.key, value: $0.value.formValue) })
    }
}

extension FormValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    /// Fields in the order in which they are written.
    public init(dictionaryLiteral elements: (String, any FormValueConvertible)...) {
        self = .fields(elements.map { Field(name: $0.0, value: $0.1.formValue) })
    }

    /// A list.
    public init(arrayLiteral elements: any FormValueConvertible...) {
        self = .list(elements.map(\.formValue))
    }
}

extension URLQueryItem: FormValueConvertible {
    /// A field with the item's name and value; without a value, the name only.
    public var formValue: FormValue { .fields([.init(name: name, value: value.formValue)]) }
}

extension FormValue {
    /// The text of a query: of fields, or of a list of them as `[URLQueryItem]` is.
    ///
    /// - Throws: `invalidURL` for values without names.
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
