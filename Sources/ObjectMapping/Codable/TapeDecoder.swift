/// The decoder of one value on a tape: the argument of `init(from:)`, and a step of the coding path.
///
/// A decoder without other references is reused for the next value, so that nested values do not allocate memory.
final class TapeDecoder: Decoder {
    let tape: DecodingTape
    // Exclusivity unchecked: a decoder belongs to one thread and no access outlasts a call.
    /// The place of the value.
    @safe @exclusivity(unchecked) private(set) var place: Int
    /// The decoder of the enclosing value, whose key or index follows; `nil` at the top, and for an unused decoder.
    @safe @exclusivity(unchecked) private(set) var parent: TapeDecoder?
    @safe @exclusivity(unchecked) private(set) var key: (any CodingKey)?
    @safe @exclusivity(unchecked) private var index: Int
    /// The number of enclosing values.
    private let depth: Int
    /// A decoder that can be reused for the next nested value.
    @safe @exclusivity(unchecked) private var reusable: TapeDecoder?
    /// The state of key lookups.
    @safe @exclusivity(unchecked) var lookup: KeyLookup
    /// Whether the keys are data, to which no strategy applies.
    @safe @exclusivity(unchecked) var keepsKeys: Bool

    /// Creates the decoder of the top-level value.
    init(_ tape: DecodingTape) {
        self.tape = tape
        place = tape.root
        index = -1
        depth = 0
        lookup = KeyLookup(first: place + 2)
        keepsKeys = tape.settings.keepsKeys
    }

    private init(_ tape: DecodingTape, at place: Int, in parent: TapeDecoder, key: (any CodingKey)?, index: Int) {
        self.tape = tape
        self.place = place
        self.parent = parent
        self.key = key
        self.index = index
        depth = parent.depth + 1
        lookup = KeyLookup(first: place + 2)
        keepsKeys = tape.settings.keepsKeys
    }

    var userInfo: [CodingUserInfoKey: Any] { tape.settings.userInfo }

    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var step = self
        while let parent = step.parent {
            path.append(step.key ?? IndexKey(step.index))
            step = parent
        }
        return path.reversed()
    }

    @inline(__always) var token: Token { tape.tokens.token(place) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard token.kind == .object else { throw mismatch([String: Any].self, "an object", at: place) }
        if !keepsKeys { convertKeys() }
        return KeyedDecodingContainer(TapeKeyedContainer<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        TapeUnkeyedContainer(decoder: self, place: try elements().first)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    /// Returns the array's first element, and the number of elements.
    func elements() throws -> (first: Int, count: Int) {
        guard token.kind == .array else { throw mismatch([Any].self, "an array", at: place) }
        return (place + 2, tape.tokens.memberCount(place))
    }

    // MARK: Values within this one

    /// Returns the decoder of a nested value.
    @inline(__always) func child(at place: Int, key: (any CodingKey)? = nil, index: Int = -1) -> TapeDecoder {
        guard let child = reusable else { return TapeDecoder(tape, at: place, in: self, key: key, index: index) }
        reusable = nil
        child.parent = self
        child.key = key
        child.move(to: place, index: index)
        return child
    }

    /// Changes a child to the decoder of another element; creates a new one if it is referenced elsewhere.
    @inline(__always) func reuse(_ child: inout TapeDecoder, at place: Int, index: Int) {
        if isKnownUniquelyReferenced(&child) {
            child.move(to: place, index: index)
        } else {
            child = self.child(at: place, index: index)
        }
    }

    /// Keeps a child for the next value, unless it is referenced elsewhere.
    @inline(__always) func recycle(_ child: inout TapeDecoder) {
        guard isKnownUniquelyReferenced(&child) else { return }
        child.parent = nil
        reusable = child
    }

    /// Checks that the stack has space to decode the value.
    @inline(__always) func checkStack() throws {
        if depth >= StackRoom.uncheckedLevels, !tape.stack.hasRoom() { throw noRoom() }
    }

    @inline(never) private func noRoom() -> DecodingError {
        corrupted(TapeError(tape, place, .noStack()))
    }

    @inline(__always) private func move(to place: Int, index: Int) {
        self.place = place
        self.index = index
        lookup.reset(first: place &+ 2)
        keepsKeys = tape.settings.keepsKeys
    }
}

extension TapeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { token.isNull }
    func decode<Scalar: TapeScalar>(_: Scalar.Type) throws -> Scalar { try scalar() }
    // 128-bit integers have a default implementation that throws.
    func decode(_: Int128.Type) throws -> Int128 { try scalar() }
    func decode(_: UInt128.Type) throws -> UInt128 { try scalar() }

    /// Decodes the value as a scalar type.
    @inline(__always) func scalar<Scalar: TapeScalar>() throws -> Scalar {
        guard let value = Scalar.read(tape, place) else { throw failure(of: Scalar.self, at: place) }
        return value
    }
}
