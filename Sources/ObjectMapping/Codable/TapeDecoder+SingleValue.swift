extension TapeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { token.isNull }
    func decode(_: Bool.Type) throws -> Bool { try scalar() }
    func decode(_: String.Type) throws -> String { try scalar() }
    func decode(_: Double.Type) throws -> Double { try scalar() }
    func decode(_: Float.Type) throws -> Float { try scalar() }
    func decode(_: Int.Type) throws -> Int { try scalar() }
    func decode(_: Int8.Type) throws -> Int8 { try scalar() }
    func decode(_: Int16.Type) throws -> Int16 { try scalar() }
    func decode(_: Int32.Type) throws -> Int32 { try scalar() }
    func decode(_: Int64.Type) throws -> Int64 { try scalar() }
    func decode(_: Int128.Type) throws -> Int128 { try scalar() }
    func decode(_: UInt.Type) throws -> UInt { try scalar() }
    func decode(_: UInt8.Type) throws -> UInt8 { try scalar() }
    func decode(_: UInt16.Type) throws -> UInt16 { try scalar() }
    func decode(_: UInt32.Type) throws -> UInt32 { try scalar() }
    func decode(_: UInt64.Type) throws -> UInt64 { try scalar() }
    func decode(_: UInt128.Type) throws -> UInt128 { try scalar() }

    /// The value as a scalar type.
    @inline(__always) func scalar<Scalar: TapeScalar>() throws -> Scalar {
        guard let value = Scalar.read(tape, place) else { throw failure(of: Scalar.self, at: place) }
        return value
    }
}
