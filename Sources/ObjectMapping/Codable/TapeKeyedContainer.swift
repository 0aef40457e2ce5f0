/// The members of an object, by their keys.
struct TapeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: TapeDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { decoder.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { decoder.member(key.stringValue) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { decoder.tape.tokens.token(try member(key)).isNull }

    // 128-bit integers have a default implementation that throws.
    func decode(_: Int128.Type, forKey key: Key) throws -> Int128 { try scalar(key) }
    func decode(_: UInt128.Type, forKey key: Key) throws -> UInt128 { try scalar(key) }

    func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? { try scalarIfPresent(key) }
    func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? { try scalarIfPresent(key) }
    func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? { try scalarIfPresent(key) }
    func decodeIfPresent(_: Float.Type, forKey key: Key) throws -> Float? { try scalarIfPresent(key) }
    func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? { try scalarIfPresent(key) }
    func decodeIfPresent(_: Int8.Type, forKey key: Key) throws -> Int8? { try scalarIfPresent(key) }
    func decodeIfPresent(_: Int16.Type, forKey key: Key) throws -> Int16? { try scalarIfPresent(key) }
    func decodeIfPresent(_: Int32.Type, forKey key: Key) throws -> Int32? { try scalarIfPresent(key) }
    func decodeIfPresent(_: Int64.Type, forKey key: Key) throws -> Int64? { try scalarIfPresent(key) }
    func decodeIfPresent(_: Int128.Type, forKey key: Key) throws -> Int128? { try scalarIfPresent(key) }
    func decodeIfPresent(_: UInt.Type, forKey key: Key) throws -> UInt? { try scalarIfPresent(key) }
    func decodeIfPresent(_: UInt8.Type, forKey key: Key) throws -> UInt8? { try scalarIfPresent(key) }
    func decodeIfPresent(_: UInt16.Type, forKey key: Key) throws -> UInt16? { try scalarIfPresent(key) }
    func decodeIfPresent(_: UInt32.Type, forKey key: Key) throws -> UInt32? { try scalarIfPresent(key) }
    func decodeIfPresent(_: UInt64.Type, forKey key: Key) throws -> UInt64? { try scalarIfPresent(key) }
    func decodeIfPresent(_: UInt128.Type, forKey key: Key) throws -> UInt128? { try scalarIfPresent(key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try value(type, at: try member(key), key)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let place = decoder.member(key.stringValue), !decoder.tape.tokens.token(place).isNull else { return nil }
        return try value(type, at: place, key)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder.child(at: try member(key), key: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.child(at: try member(key), key: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { superDecoder(under: MemberKey(stringValue: "super")) }
    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(under: key) }

    /// What is not there is null for a superclass.
    private func superDecoder(under key: some CodingKey) -> any Decoder {
        decoder.child(at: decoder.member(key.stringValue) ?? TokenTape.nothing, key: key)
    }

    @inline(__always) private func member(_ key: Key) throws -> Int {
        guard let place = decoder.member(key.stringValue) else { throw decoder.missing(key) }
        return place
    }

    func decode<Scalar: TapeScalar>(_: Scalar.Type, forKey key: Key) throws -> Scalar { try scalar(key) }

    @inline(__always) private func scalar<Scalar: TapeScalar>(_ key: Key) throws -> Scalar {
        let place = try member(key)
        guard let value = Scalar.read(decoder.tape, place) else {
            throw decoder.failure(of: Scalar.self, at: place, under: key)
        }
        return value
    }

    @inline(__always) private func scalarIfPresent<Scalar: TapeScalar>(_ key: Key) throws -> Scalar? {
        guard let place = decoder.member(key.stringValue), !decoder.tape.tokens.token(place).isNull else { return nil }
        guard let value = Scalar.read(decoder.tape, place) else {
            throw decoder.failure(of: Scalar.self, at: place, under: key)
        }
        return value
    }

    @inline(__always) private func value<Value: Decodable>(
        _ type: Value.Type, at place: Int, _ key: Key
    ) throws -> Value {
        var child = decoder.child(at: place, key: key)
        let value = try child.decode(type)
        decoder.recycle(&child)
        return value
    }
}
