/// The members of an object, by key.
struct TapeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: TapeDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { decoder.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { decoder.member(key.stringValue) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { decoder.tape.tokens.token(try member(key)).isNull }

    // Separate methods for the most frequent types, because the optimizer does not specialize a generic one for the
    // protocol, and for 128-bit integers, which have a default implementation that throws.
    func decode<Scalar: TapeScalar>(_: Scalar.Type, forKey key: Key) throws -> Scalar { try scalar(key) }
    func decode(_: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key) }
    func decode(_: String.Type, forKey key: Key) throws -> String { try scalar(key) }
    func decode(_: Double.Type, forKey key: Key) throws -> Double { try scalar(key) }
    func decode(_: Int.Type, forKey key: Key) throws -> Int { try scalar(key) }
    func decode(_: Int128.Type, forKey key: Key) throws -> Int128 { try scalar(key) }
    func decode(_: UInt128.Type, forKey key: Key) throws -> UInt128 { try scalar(key) }

    // All have a default implementation that searches the key three times.
    func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? { try scalarIfPresent(key) }
    func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? { try scalarIfPresent(key) }
    func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? { try scalarIfPresent(key) }
    func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? { try scalarIfPresent(key) }
    func decodeIfPresent(_: Float.Type, forKey key: Key) throws -> Float? { try scalarIfPresent(key) }
    func decodeIfPresent(_: Int8.Type, forKey key: Key) throws -> Int8? { try scalarIfPresent(key) }
    func decodeIfPresent(_: Int16.Type, forKey key: Key) throws -> Int16? { try scalarIfPresent(key) }
    func decodeIfPresent(_: Int32.Type, forKey key: Key) throws -> Int32? { try scalarIfPresent(key) }
    func decodeIfPresent(_: Int64.Type, forKey key: Key) throws -> Int64? { try scalarIfPresent(key) }
    func decodeIfPresent(_: UInt.Type, forKey key: Key) throws -> UInt? { try scalarIfPresent(key) }
    func decodeIfPresent(_: UInt8.Type, forKey key: Key) throws -> UInt8? { try scalarIfPresent(key) }
    func decodeIfPresent(_: UInt16.Type, forKey key: Key) throws -> UInt16? { try scalarIfPresent(key) }
    func decodeIfPresent(_: UInt32.Type, forKey key: Key) throws -> UInt32? { try scalarIfPresent(key) }
    func decodeIfPresent(_: UInt64.Type, forKey key: Key) throws -> UInt64? { try scalarIfPresent(key) }
    func decodeIfPresent(_: Int128.Type, forKey key: Key) throws -> Int128? { try scalarIfPresent(key) }
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

    /// A missing value is null for a superclass.
    private func superDecoder(under key: some CodingKey) -> any Decoder {
        decoder.child(at: decoder.member(key.stringValue) ?? TokenTape.nothing, key: key)
    }

    @inline(__always) private func member(_ key: Key) throws -> Int {
        guard let place = decoder.member(key.stringValue) else { throw decoder.missing(key) }
        return place
    }

    @inline(__always) private func scalar<Scalar: TapeScalar>(_ key: Key) throws -> Scalar {
        try scalar(key, at: try member(key))
    }

    @inline(__always) private func scalar<Scalar: TapeScalar>(_ key: Key, at place: Int) throws -> Scalar {
        guard let value = Scalar.read(decoder.tape, place) else {
            throw decoder.failure(of: Scalar.self, at: place, under: key)
        }
        return value
    }

    @inline(__always) private func scalarIfPresent<Scalar: TapeScalar>(_ key: Key) throws -> Scalar? {
        guard let place = decoder.member(key.stringValue), !decoder.tape.tokens.token(place).isNull else { return nil }
        return try scalar(key, at: place)
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

/// The elements of an array, in order.
struct TapeUnkeyedContainer: UnkeyedDecodingContainer {
    let decoder: TapeDecoder
    var place: Int
    private(set) var currentIndex = 0

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { decoder.tape.tokens.memberCount(decoder.place) }
    var isAtEnd: Bool { currentIndex == decoder.tape.tokens.memberCount(decoder.place) }

    mutating func decodeNil() throws -> Bool {
        try checkEnd(Never.self)
        guard decoder.tape.tokens.token(place).isNull else { return false }
        advance()
        return true
    }

    // Separate methods, as for keys.
    mutating func decode<Scalar: TapeScalar>(_: Scalar.Type) throws -> Scalar { try scalar() }
    mutating func decode(_: Bool.Type) throws -> Bool { try scalar() }
    mutating func decode(_: String.Type) throws -> String { try scalar() }
    mutating func decode(_: Double.Type) throws -> Double { try scalar() }
    mutating func decode(_: Int.Type) throws -> Int { try scalar() }
    mutating func decode(_: Int128.Type) throws -> Int128 { try scalar() }
    mutating func decode(_: UInt128.Type) throws -> UInt128 { try scalar() }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try checkEnd(type)
        var child = decoder.child(at: place, index: currentIndex)
        let value = try child.decode(type)
        decoder.recycle(&child)
        advance()
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next(KeyedDecodingContainer<Nested>.self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next((any Decoder).self) { $0 } }

    private mutating func next<Value>(_ type: Any.Type, _ read: (TapeDecoder) throws -> Value) throws -> Value {
        try checkEnd(type)
        let value = try read(decoder.child(at: place, index: currentIndex))
        advance()
        return value
    }

    /// Advances only if the element was decoded, so that another type can be tried.
    @inline(__always) private mutating func scalar<Scalar: TapeScalar>() throws -> Scalar {
        try checkEnd(Scalar.self)
        guard let value = Scalar.read(decoder.tape, place) else {
            throw decoder.failure(of: Scalar.self, at: place, under: IndexKey(currentIndex))
        }
        advance()
        return value
    }

    @inline(__always) private mutating func advance() {
        currentIndex += 1
        place = decoder.tape.tokens.end(of: place)
    }

    @inline(__always) private func checkEnd(_ type: Any.Type) throws { if isAtEnd { throw atEnd(type) } }

    @inline(never) private func atEnd(_ type: Any.Type) -> DecodingError {
        let failure = ConversionFailure(
            .missing, expected: "an element at index \(currentIndex)", found: "the end of the array")
        let tapeError = TapeError(decoder.tape, decoder.place, failure)
        return .valueNotFound(type, decoder.context(tapeError, under: IndexKey(currentIndex)))
    }
}
