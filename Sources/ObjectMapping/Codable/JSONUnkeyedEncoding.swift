/// The elements of an array, encoded one after another.
struct JSONUnkeyedEncoding: UnkeyedEncodingContainer {
    let encoder: JSONValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.node.elements.count }

    func encodeNil() { encoder.element().node.set(.null) }
    // 128-bit integers have a default implementation that throws.
    func encode(_ value: Int128) throws { try encoder.element().encode(value) }
    func encode(_ value: UInt128) throws { try encoder.element().encode(value) }
    func encode(_ value: some Encodable) throws { try encoder.element().encode(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder.element().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.element().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder.element() }
}
