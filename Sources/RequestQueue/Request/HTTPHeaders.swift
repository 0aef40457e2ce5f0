/// The header fields of a request or a response, in their order; names are compared without regard to case.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers["accept"] = "text/html"
/// headers.add("no-cache", for: "Cache-Control")
/// ```
///
/// Names and values are kept as they were given; those that could inject another field are told when a request is sent.
public struct HTTPHeaders: Sendable, Hashable {
    /// One field.
    public struct Field: Sendable, Hashable {
        /// The name, whose case means nothing.
        public var name: String
        /// The value.
        public var value: String

        /// A field of a name.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All fields, in the order in which they are sent or came.
    public private(set) var fields: [Field] = []

    /// No field.
    public init() {}

    /// Fields in their order, also several of a name.
    package init(fields: [Field]) { self.fields = fields }

    /// The value of a field: those of several fields of the name joined by a comma and a blank (RFC 9110 §5.3).
    ///
    /// Setting replaces all fields of the name by one, and nil removes them.
    public subscript(name: String) -> String? {
        get {
            var value: String?
            for field in fields where isSameName(field.name, name) {
                value = value.map { $0 + ", " + field.value } ?? field.value
            }
            return value
        }
        set {
            let index = fields.firstIndex { isSameName($0.name, name) }
            guard let newValue else { return fields.removeAll { isSameName($0.name, name) } }
            guard let index else { return add(newValue, for: name) }
            fields[index].value = newValue
            let rest = fields[(index + 1)...].filter { !isSameName($0.name, name) }
            fields.replaceSubrange((index + 1)..., with: rest)
        }
    }

    /// The values of all fields of a name, each for itself.
    public func values(for name: String) -> [String] {
        fields.filter { isSameName($0.name, name) }.map(\.value)
    }

    /// Adds a field, beside others of its name.
    public mutating func add(_ value: String, for name: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Replaces the fields of each name that others have.
    mutating func replace(with others: HTTPHeaders) {
        for field in others.fields { self[field.name] = nil }
        fields += others.fields
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Fields in the order in which they are written; of two of one name the later.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }
}

extension HTTPHeaders: Sequence {
    /// Goes over the fields in their order.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}

/// Whether two names of fields are the same, without regard to the case of ASCII letters.
private func isSameName(_ one: String, _ other: String) -> Bool {
    let (one, other) = (one.utf8, other.utf8)
    guard one.count == other.count else { return false }
    var (here, there) = (one.startIndex, other.startIndex)
    while here < one.endIndex {
        let (a, b) = (one[here], other[there])
        guard a == b || (a | 0x20 == b | 0x20 && (0x61...0x7a).contains(a | 0x20)) else { return false }
        one.formIndex(after: &here)
        other.formIndex(after: &there)
    }
    return true
}
