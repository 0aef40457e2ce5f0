extension TapeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { token.isNull }
    func decode<Scalar: TapeScalar>(_: Scalar.Type) throws -> Scalar { try scalar() }
    // 128-bit integers have a default implementation that throws.
    func decode(_: Int128.Type) throws -> Int128 { try scalar() }
    func decode(_: UInt128.Type) throws -> UInt128 { try scalar() }

    /// The value as a scalar type.
    @inline(__always) func scalar<Scalar: TapeScalar>() throws -> Scalar {
        guard let value = Scalar.read(tape, place) else { throw failure(of: Scalar.self, at: place) }
        return value
    }
}
