/// One value that is encoded as such.
struct JSONSingleEncoding: SingleValueEncodingContainer {
    let encoder: JSONValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { set(.null) }
    func encode(_ value: Bool) { set(.bool(value)) }
    func encode(_ value: String) { set(.string(value)) }
    func encode(_ value: Double) throws { try encoder.encode(number: value) }
    func encode(_ value: Float) throws {
        guard value.isFinite else { throw encoder.unknown(value) }
        set(value.json)
    }
    func encode<Integer: FixedWidthInteger & Encodable>(_ value: Integer) { set(.integer(value)) }
    // 128-bit integers have a default implementation that throws.
    func encode(_ value: Int128) { set(.integer(value)) }
    func encode(_ value: UInt128) { set(.integer(value)) }
    func encode(_ value: some Encodable) throws { try encoder.encode(value) }

    private func set(_ json: JSON) { encoder.node.set(json) }
}
