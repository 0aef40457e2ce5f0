/// The header fields of a request or a response, in order.
///
/// Names are case-insensitive.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers["accept"] = "text/html"
/// headers.add("no-cache", for: "Cache-Control")
/// ```
///
/// Names and values are stored unchanged. If one of them could inject another field, sending the request throws a
/// ``RequestError`` of kind `invalidHeader`.
public struct HTTPHeaders: Sendable, Hashable {
    /// A header field.
    public struct Field: Sendable, Hashable {
        /// The name, which is case-insensitive.
        public var name: String
        /// The value.
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All fields, in the order in which they are sent or were received.
    public private(set) var fields: [Field] = []

    /// Creates an empty list of fields.
    public init() {}

    /// Creates a list of fields in order, which may repeat names.
    package init(fields: [Field]) { self.fields = fields }

    /// The value of a field; several fields with the same name are joined with a comma and a space (RFC 9110 §5.3).
    ///
    /// Setting a value replaces all fields with the name; setting `nil` removes them.
    public subscript(name: String) -> String? {
        get {
            var value: String?
            for index in fields.indices where isSameName(fields[index].name, name) {
                let found = fields[index].value
                value = value.map { "\($0), \(found)" } ?? found
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

    /// Returns the values of all fields with a name.
    public func values(for name: String) -> [String] {
        fields.filter { isSameName($0.name, name) }.map(\.value)
    }

    /// Appends a field, and keeps existing fields with the same name.
    public mutating func add(_ value: String, for name: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Returns the elements of a comma-separated field, in lowercase and without empty ones.
    package func elements(of name: String) -> [String] {
        self[name].map { FieldParser.list($0.lowercased()).filter { !$0.isEmpty } } ?? []
    }

    /// Applies the changes of a copy, by the names of fields, to fields that may have changed since.
    mutating func merge(_ changed: HTTPHeaders, since old: HTTPHeaders) {
        if self == old { return self = changed }
        func groups(_ headers: HTTPHeaders) -> [String: [Field]] {
            Dictionary(grouping: headers.fields) { $0.name.lowercased() }
        }
        let (before, after) = (groups(old), groups(changed))
        let names = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        fields.removeAll { names.contains($0.name.lowercased()) }
        fields += changed.fields.filter { names.contains($0.name.lowercased()) }
    }

    /// Allocates the memory of a number of fields.
    mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }

    /// Replaces the fields whose names occur in other fields.
    mutating func replace(with others: HTTPHeaders) {
        for field in others.fields { self[field.name] = nil }
        fields += others.fields
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates fields in the order of the literal; the last value of a repeated name is used.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }
}

extension HTTPHeaders: Sequence {
    /// Returns an iterator over the fields in order.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}

/// Whether two field names are equal, ignoring the case of ASCII letters.
private func isSameName(_ one: String, _ other: String) -> Bool {
    guard one.utf8.count == other.utf8.count else { return false }
    // Most fields have the usual spelling; this comparison is a `memcmp`.
    if one == other { return true }
    let (one, other) = (one.utf8, other.utf8)
    var (here, there) = (one.startIndex, other.startIndex)
    while here < one.endIndex {
        let (a, b) = (one[here], other[there])
        guard a == b || (a | 0x20 == b | 0x20 && (0x61...0x7a).contains(a | 0x20)) else { return false }
        one.formIndex(after: &here)
        other.formIndex(after: &there)
    }
    return true
}
