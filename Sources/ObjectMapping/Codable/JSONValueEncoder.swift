/// Encodes `Encodable` types to a JSON value; dates, data, URLs and decimals are written like attributes of these
/// types.
struct JSONValueEncoder: Encoder {
    /// A value while it is encoded: the owner of its container can still add to it.
    final class Node {
        enum Kind { case none, value, array, object }

        private(set) var kind = Kind.none
        private var value = JSON.null
        private var members: [(key: String, node: Node)] = []
        private(set) var elements: [Node] = []

        /// The value so far; a type that encodes nothing is an empty object.
        var json: JSON {
            switch kind {
            case .none: [:]
            case .value: value
            case .array: .array(elements.map(\.json))
            case .object: .object(JSONObject(members.map { (key: $0.key, value: $0.node.json) }))
            }
        }

        func set(_ json: JSON) { (kind, value) = (.value, json) }

        /// Changes to an array or an object.
        func become(_ kind: Kind) { self.kind = kind }

        func add(_ node: Node, for key: String) { members.append((key, node)) }
        func add(_ node: Node) { elements.append(node) }
    }

    /// The stack space, shared by the encoders of one value.
    final class Stack {
        /// The number of nested values that are being encoded; those in single-value containers share a coding path.
        @safe @exclusivity(unchecked) fileprivate var depth = 0
        @safe @exclusivity(unchecked) fileprivate var room = StackRoom()
    }

    var node = Node()
    var codingPath: [any CodingKey] = []
    var stack = Stack()
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Encodes a value to JSON.
    static func json(of value: some Encodable) throws -> JSON {
        let encoder = JSONValueEncoder()
        try encoder.encode(value)
        return encoder.node.json
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.become(.object)
        return KeyedEncodingContainer(JSONKeyedEncoding(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.become(.array)
        return JSONUnkeyedEncoding(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Encodes a value instead of this one.
    func encode(_ value: some Encodable) throws {
        switch value {
        case is Date, is Data, is URL, is Decimal:
            try encode((value as? any JSONConvertible)?.json ?? .null, of: value)
        default:
            stack.depth += 1
            defer { stack.depth -= 1 }
            guard stack.depth <= StackRoom.uncheckedLevels || stack.room.hasRoom() else {
                throw ConversionFailure.noStack(at: codingPath.steps)
            }
            try value.encode(to: self)
        }
    }

    func unknown(_ value: Any) -> EncodingError {
        .invalidValue(value, EncodingError.Context(codingPath: codingPath, debugDescription: "no value of JSON"))
    }

    /// Returns the encoder of a new member.
    func member(_ key: any CodingKey) -> JSONValueEncoder {
        let new = Node()
        node.add(new, for: key.stringValue)
        return JSONValueEncoder(node: new, codingPath: codingPath + [key], stack: stack)
    }

    /// Returns the encoder of a new element.
    func element() -> JSONValueEncoder {
        let new = Node()
        node.add(new)
        return JSONValueEncoder(node: new, codingPath: codingPath + [IndexKey(node.elements.count - 1)], stack: stack)
    }
}

/// The members of an object by key; for a repeated key, the last value is used.
struct JSONKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: JSONValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.member(key).node.set(.null) }
    // 128-bit integers have a default implementation that throws.
    func encode(_ value: Int128, forKey key: Key) { encoder.member(key).encode(value) }
    func encode(_ value: UInt128, forKey key: Key) { encoder.member(key).encode(value) }
    func encode(_ value: some Encodable, forKey key: Key) throws { try encoder.member(key).encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder.member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.member(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.member(MemberKey(stringValue: "super")) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.member(key) }
}

/// A single value.
extension JSONValueEncoder: SingleValueEncodingContainer {
    func encodeNil() { node.set(.null) }
    func encode(_ value: Bool) { node.set(.bool(value)) }
    func encode(_ value: String) { node.set(.string(value)) }
    func encode(_ value: Double) throws { try encode(value.json, of: value) }
    func encode(_ value: Float) throws { try encode(value.json, of: value) }
    func encode<Integer: FixedWidthInteger & Encodable>(_ value: Integer) { node.set(.integer(value)) }
    // 128-bit integers have a default implementation that throws.
    func encode(_ value: Int128) { node.set(.integer(value)) }
    func encode(_ value: UInt128) { node.set(.integer(value)) }

    /// - Parameter json: Null if JSON cannot represent the value.
    private func encode(_ json: JSON, of value: some Encodable) throws {
        guard !json.isNull else { throw unknown(value) }
        node.set(json)
    }
}

/// The elements of an array, in order.
struct JSONUnkeyedEncoding: UnkeyedEncodingContainer {
    let encoder: JSONValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.node.elements.count }

    func encodeNil() { encoder.element().node.set(.null) }
    // 128-bit integers have a default implementation that throws.
    func encode(_ value: Int128) { encoder.element().encode(value) }
    func encode(_ value: UInt128) { encoder.element().encode(value) }
    func encode(_ value: some Encodable) throws { try encoder.element().encode(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder.element().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.element().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder.element() }
}

extension JSON {
    /// Creates the JSON that the `Codable` conformance of a value produces.
    ///
    /// - Throws: `EncodingError`.
    package init(encoding value: some Encodable) throws { self = try JSONValueEncoder.json(of: value) }
}
