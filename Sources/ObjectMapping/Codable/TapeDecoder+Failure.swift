extension TapeDecoder {
    /// A value of another kind than a type takes; null is no value at all.
    func mismatch(
        _ type: Any.Type, _ expected: String, at place: Int, under key: (any CodingKey)? = nil
    ) -> DecodingError {
        let misfit = Misfit(tape, place, expected: expected)
        return tape.tokens.token(place).isNull
            ? .valueNotFound(type, context(misfit, under: key)) : .typeMismatch(type, context(misfit, under: key))
    }

    /// Why there is no value of a scalar type.
    @inline(never) func failure<Scalar: TapeScalar>(
        of type: Scalar.Type, at place: Int, under key: (any CodingKey)? = nil
    ) -> DecodingError {
        let misfit = Scalar.misfit(tape, place)
        if tape.tokens.token(place).isNull, type != Bool.self {
            return .valueNotFound(type, context(misfit, under: key))
        }
        return misfit.kind == .typeMismatch
            ? .typeMismatch(type, context(misfit, under: key)) : .dataCorrupted(context(misfit, under: key))
    }

    /// A key that is absent from the object.
    @inline(never) func missing(_ key: any CodingKey) -> DecodingError {
        var misfit = Misfit(tape, place, .missing, expected: "the key '\(key.stringValue)'", found: "no such key")
        misfit.missingKey = key.stringValue
        return .keyNotFound(key, context(misfit))
    }

    /// A value whose kind is right, but not its content.
    func corrupted(_ misfit: Misfit) -> DecodingError { .dataCorrupted(context(misfit)) }

    func context(_ misfit: Misfit, under key: (any CodingKey)? = nil) -> DecodingError.Context {
        var misfit = misfit
        if misfit.place == TokenTape.nothing, let parent, let absent = self.key {
            misfit = misfit.missing(absent, in: parent.place)
        }
        return DecodingError.Context(
            codingPath: codingPath + (key.map { [$0] } ?? []),
            debugDescription: "expected \(misfit.expected), found \(misfit.found)", underlyingError: misfit)
    }
}
