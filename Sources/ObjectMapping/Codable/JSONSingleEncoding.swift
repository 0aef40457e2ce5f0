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
    func encode(_ value: Int) { set(.integer(value)) }
    func encode(_ value: Int8) { set(.integer(value)) }
    func encode(_ value: Int16) { set(.integer(value)) }
    func encode(_ value: Int32) { set(.integer(value)) }
    func encode(_ value: Int64) { set(.integer(value)) }
    func encode(_ value: Int128) { set(.integer(value)) }
    func encode(_ value: UInt) { set(.integer(value)) }
    func encode(_ value: UInt8) { set(.integer(value)) }
    func encode(_ value: UInt16) { set(.integer(value)) }
    func encode(_ value: UInt32) { set(.integer(value)) }
    func encode(_ value: UInt64) { set(.integer(value)) }
    func encode(_ value: UInt128) { set(.integer(value)) }
    func encode(_ value: some Encodable) throws { try encoder.encode(value) }

    private func set(_ json: JSON) { encoder.node.set(json) }
}
