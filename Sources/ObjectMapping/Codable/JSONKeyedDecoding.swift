/// The members of an object, decoded by their keys.
struct JSONKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: JSONValueDecoder
    let object: JSONObject
    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { object.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }

    // The other scalars come by the generic form, whose types decode themselves as single values.
    func decodeNil(forKey key: Key) throws -> Bool { try member(key).json.isNull }
    func decode(_: Bool.Type, forKey key: Key) throws -> Bool { try member(key).decode() }
    func decode(_: String.Type, forKey key: Key) throws -> String { try member(key).decode() }
    func decode(_: Double.Type, forKey key: Key) throws -> Double { try member(key).decode() }
    func decode(_: Float.Type, forKey key: Key) throws -> Float { try member(key).decode() }
    func decode(_: Int.Type, forKey key: Key) throws -> Int { try member(key).decode() }
    func decode(_: Int8.Type, forKey key: Key) throws -> Int8 { try member(key).decode() }
    func decode(_: Int16.Type, forKey key: Key) throws -> Int16 { try member(key).decode() }
    func decode(_: Int32.Type, forKey key: Key) throws -> Int32 { try member(key).decode() }
    func decode(_: Int64.Type, forKey key: Key) throws -> Int64 { try member(key).decode() }
    func decode(_: UInt.Type, forKey key: Key) throws -> UInt { try member(key).decode() }
    func decode(_: UInt8.Type, forKey key: Key) throws -> UInt8 { try member(key).decode() }
    func decode(_: UInt16.Type, forKey key: Key) throws -> UInt16 { try member(key).decode() }
    func decode(_: UInt32.Type, forKey key: Key) throws -> UInt32 { try member(key).decode() }
    func decode(_: UInt64.Type, forKey key: Key) throws -> UInt64 { try member(key).decode() }
    func decode<Value: Decodable>(_: Value.Type, forKey key: Key) throws -> Value { try member(key).decode() }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        let key = MemberKey(stringValue: "super")
        return decoder.below(key, object[key.stringValue] ?? .null)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        decoder.below(key, object[key.stringValue] ?? .null)
    }

    private func member(_ key: Key) throws -> JSONValueDecoder {
        guard let json = object[key.stringValue] else {
            let failure = ConversionFailure(missing: key.stringValue, at: codingPath.steps, in: object)
            throw DecodingError.keyNotFound(key, decoder.context(failure))
        }
        return decoder.below(key, json)
    }
}
