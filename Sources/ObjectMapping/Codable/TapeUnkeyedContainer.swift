/// The elements of an array, one after the other.
struct TapeUnkeyedContainer: UnkeyedDecodingContainer {
    private let decoder: TapeDecoder
    private var place: Int
    private(set) var currentIndex = 0

    init(decoder: TapeDecoder, first: Int) {
        self.decoder = decoder
        place = first
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { decoder.tape.tokens.memberCount(decoder.place) }
    var isAtEnd: Bool { currentIndex == decoder.tape.tokens.memberCount(decoder.place) }

    mutating func decodeNil() throws -> Bool {
        try checkEnd(Never.self)
        guard decoder.tape.tokens.token(place).isNull else { return false }
        advance()
        return true
    }

    mutating func decode<Scalar: TapeScalar>(_: Scalar.Type) throws -> Scalar { try scalar() }
    // 128-bit integers have a default implementation that throws.
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
        try checkEnd(KeyedDecodingContainer<Nested>.self)
        let container = try decoder.child(at: place, index: currentIndex).container(keyedBy: type)
        advance()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try checkEnd((any UnkeyedDecodingContainer).self)
        let container = try decoder.child(at: place, index: currentIndex).unkeyedContainer()
        advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        try checkEnd((any Decoder).self)
        let child = decoder.child(at: place, index: currentIndex)
        advance()
        return child
    }

    /// Goes on only if the element was decoded, so that it may be tried as something else.
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

    @inline(__always) private func checkEnd(_ type: Any.Type) throws {
        if isAtEnd { throw atEnd(type) }
    }

    @inline(never) private func atEnd(_ type: Any.Type) -> DecodingError {
        let misfit = Misfit(
            decoder.tape, decoder.place, .missing, expected: "more than \(currentIndex) elements", found: "no more")
        return .valueNotFound(type, decoder.context(misfit, under: IndexKey(currentIndex)))
    }
}
