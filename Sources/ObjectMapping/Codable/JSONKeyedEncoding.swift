/// The members of an object, encoded by their keys; of a key encoded twice the last value counts.
struct JSONKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: JSONValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.member(key).node.set(.null) }
    // 128-bit integers have a default implementation that throws.
    func encode(_ value: Int128, forKey key: Key) throws { try encoder.member(key).encode(value) }
    func encode(_ value: UInt128, forKey key: Key) throws { try encoder.member(key).encode(value) }
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
