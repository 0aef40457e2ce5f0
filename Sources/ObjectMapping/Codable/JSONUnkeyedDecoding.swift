/// The elements of an array, decoded one after another.
struct JSONUnkeyedDecoding: UnkeyedDecodingContainer {
    let decoder: JSONValueDecoder
    let elements: [JSON]
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    init(decoder: JSONValueDecoder, elements: [JSON]) {
        self.decoder = decoder
        self.elements = elements
    }

    mutating func decodeNil() throws -> Bool {
        guard try element(Never.self).json.isNull else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode(_: Bool.Type) throws -> Bool { try next() }
    mutating func decode(_: String.Type) throws -> String { try next() }
    mutating func decode(_: Double.Type) throws -> Double { try next() }
    mutating func decode(_: Float.Type) throws -> Float { try next() }
    mutating func decode(_: Int.Type) throws -> Int { try next() }
    mutating func decode(_: Int8.Type) throws -> Int8 { try next() }
    mutating func decode(_: Int16.Type) throws -> Int16 { try next() }
    mutating func decode(_: Int32.Type) throws -> Int32 { try next() }
    mutating func decode(_: Int64.Type) throws -> Int64 { try next() }
    mutating func decode(_: UInt.Type) throws -> UInt { try next() }
    mutating func decode(_: UInt8.Type) throws -> UInt8 { try next() }
    mutating func decode(_: UInt16.Type) throws -> UInt16 { try next() }
    mutating func decode(_: UInt32.Type) throws -> UInt32 { try next() }
    mutating func decode(_: UInt64.Type) throws -> UInt64 { try next() }
    mutating func decode<Value: Decodable>(_: Value.Type) throws -> Value { try next() }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next([String: Any].self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next([Any].self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next((any Decoder).self) { $0 } }

    private mutating func next<Value: Decodable>() throws -> Value { try next(Value.self) { try $0.decode() } }

    /// Goes on only if the element was decoded, so that it may be tried as something else.
    private mutating func next<Value>(_ type: Any.Type, _ decode: (JSONValueDecoder) throws -> Value) throws -> Value {
        let value = try decode(element(type))
        currentIndex += 1
        return value
    }

    private func element(_ type: Any.Type) throws -> JSONValueDecoder {
        guard !isAtEnd else {
            let failure = ConversionFailure(
                .missing, at: codingPath.steps, expected: "more than \(currentIndex) elements", found: "no more")
            throw DecodingError.valueNotFound(type, decoder.context(failure))
        }
        return decoder.below(IndexKey(currentIndex), elements[currentIndex])
    }
}
