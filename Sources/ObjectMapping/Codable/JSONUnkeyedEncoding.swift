/// The elements of an array, encoded one after another.
struct JSONUnkeyedEncoding: UnkeyedEncodingContainer {
    let encoder: JSONValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.node.elements.count }

    func encodeNil() { encoder.element().node.set(.null) }
    func encode(_ value: Bool) throws { try encoder.element().encode(value) }
    func encode(_ value: String) throws { try encoder.element().encode(value) }
    func encode(_ value: Double) throws { try encoder.element().encode(value) }
    func encode(_ value: Float) throws { try encoder.element().encode(value) }
    func encode(_ value: Int) throws { try encoder.element().encode(value) }
    func encode(_ value: Int8) throws { try encoder.element().encode(value) }
    func encode(_ value: Int16) throws { try encoder.element().encode(value) }
    func encode(_ value: Int32) throws { try encoder.element().encode(value) }
    func encode(_ value: Int64) throws { try encoder.element().encode(value) }
    func encode(_ value: Int128) throws { try encoder.element().encode(value) }
    func encode(_ value: UInt) throws { try encoder.element().encode(value) }
    func encode(_ value: UInt8) throws { try encoder.element().encode(value) }
    func encode(_ value: UInt16) throws { try encoder.element().encode(value) }
    func encode(_ value: UInt32) throws { try encoder.element().encode(value) }
    func encode(_ value: UInt64) throws { try encoder.element().encode(value) }
    func encode(_ value: UInt128) throws { try encoder.element().encode(value) }
    func encode(_ value: some Encodable) throws { try encoder.element().encode(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder.element().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.element().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder.element() }
}
