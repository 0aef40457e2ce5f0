/// The members of a JSON object, in the order of the text.
///
/// ```swift
/// for (key, value) in json["user"].object ?? [:] { … }
/// ```
public struct JSONObject: Sendable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
    /// A key and its value.
    public typealias Element = (key: String, value: JSON)

    /// The object as a value, including absent members.
    let json: JSON

    /// Creates an object with members in this order; for a duplicate key, the last value is used at the first position.
    public init(_ members: some Sequence<Element>) {
        var merged = MergedObject(levels: 1) { _, last in last }
        merged.add(members)
        self = merged.object
    }

    /// Creates an object with members in this order; for a duplicate key, the last value is used at the first position.
    public init(dictionaryLiteral members: (String, JSON)...) {
        self.init(members.map { (key: $0.0, value: $0.1) })
    }

    /// Creates an object from members with distinct keys.
    init(unique members: [Element]) {
        let tree = members.isEmpty ? JSONTree.empty : JSONTree(members.map(\.value), keys: members.map(\.key))
        self.init(JSON(.object(tree)))
    }

    /// - Parameter json: An object.
    init(_ json: JSON) { self.json = json }

    /// The object as a value, without absent members.
    var withoutAbsent: JSON {
        if let tree = json.tree, !tree.values.allSatisfy(\.exists) {
            return JSONObject(unique: filter(\.value.exists)).json
        }
        return json
    }

    private var children: JSONChildren { JSONChildren(json) ?? JSONChildren(.empty, isObject: true) }

    /// The keys, in order; collected at each call.
    public var keys: [String] { map(\.key) }
    /// The values, in the order of their keys; collected at each call.
    public var values: [JSON] { map(\.value) }

    /// The position of the first member: 0.
    public var startIndex: Int { 0 }
    /// The number of members.
    public var endIndex: Int { children.count }

    /// The member at a position.
    ///
    /// - Complexity: O(1); the first call for a parsed object of more than 32 members is O(*n*).
    public subscript(position: Int) -> Element {
        if let tree = json.tree { return (tree.keys[position], tree.values[position]) }
        guard case .parsed(let tape, let place) = json.storage, indices.contains(position) else {
            preconditionFailure("Index out of range")
        }
        let key = tape.child(position, of: place)
        return (tape.tokens.string(key) ?? "", tape.value(at: key + 1))
    }

    /// The value of a key; `nil` if the object does not contain the key.
    ///
    /// - Complexity: O(1) on average; the first call for an object of more than 16 members is O(*n*).
    public subscript(key: String) -> JSON? {
        if let tree = json.tree { return tree.position(of: key).map { tree.values[$0] } }
        guard case .parsed(let tape, let place) = json.storage else { return nil }
        return tape.member(key, of: place).map { tape.value(at: $0) }
    }

    /// Returns an iterator over the members in order.
    public func makeIterator() -> Iterator { Iterator(children: children) }

    /// An iterator over the members of an object in order.
    public struct Iterator: IteratorProtocol {
        var children: JSONChildren

        /// Returns the next member; `nil` at the end.
        public mutating func next() -> Element? { children.nextMember() }
    }
}

extension JSONObject: CustomStringConvertible {
    /// The object as JSON text without whitespace.
    public var description: String { JSON.object(self).text }
}

extension JSONObject: Hashable {
    /// Whether both have the same keys with equal values, in any order.
    public static func == (a: JSONObject, b: JSONObject) -> Bool { a.json == b.json }

    /// Hashes the members independent of their order.
    public func hash(into hasher: inout Hasher) { json.hash(into: &hasher) }
}

/// A text that is equal to another one only if their Unicode scalars are the same, as in JSON.
struct ExactText: Hashable, Sendable {
    let text: String

    static func == (a: ExactText, b: ExactText) -> Bool {
        // Strings with the same scalars are equal, and this check excludes most others faster.
        guard a.text.utf8.count == b.text.utf8.count, a.text == b.text else { return false }
        return a.text.withView { a in b.text.withView { b in a.isSame(as: b) } }
    }

    func hash(into hasher: inout Hasher) {
        text.withView { $0.hash(into: &hasher) }
        // This byte does not occur in UTF-8, and separates consecutive texts in a hash.
        hasher.combine(0xFF as UInt8)
    }
}
