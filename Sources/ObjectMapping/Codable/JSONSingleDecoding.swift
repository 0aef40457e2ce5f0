/// One value that is decoded as such.
struct JSONSingleDecoding: SingleValueDecodingContainer {
    let decoder: JSONValueDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.json.isNull }
    func decode(_: Bool.Type) throws -> Bool { try decoder.scalar("a boolean", decoder.json.bool) }
    func decode(_: String.Type) throws -> String { try decoder.scalar("a string", decoder.json.string) }
    func decode(_: Double.Type) throws -> Double { try decoder.double() }
    func decode(_: Float.Type) throws -> Float { try decoder.float() }
    func decode(_: Int.Type) throws -> Int { try decoder.integer() }
    func decode(_: Int8.Type) throws -> Int8 { try decoder.integer() }
    func decode(_: Int16.Type) throws -> Int16 { try decoder.integer() }
    func decode(_: Int32.Type) throws -> Int32 { try decoder.integer() }
    func decode(_: Int64.Type) throws -> Int64 { try decoder.integer() }
    func decode(_: UInt.Type) throws -> UInt { try decoder.integer() }
    func decode(_: UInt8.Type) throws -> UInt8 { try decoder.integer() }
    func decode(_: UInt16.Type) throws -> UInt16 { try decoder.integer() }
    func decode(_: UInt32.Type) throws -> UInt32 { try decoder.integer() }
    func decode(_: UInt64.Type) throws -> UInt64 { try decoder.integer() }
    func decode<Value: Decodable>(_: Value.Type) throws -> Value { try decoder.decode() }
}
