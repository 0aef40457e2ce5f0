extension JSON {
    /// The value of a `Decodable` type; dates, data, URLs and decimals as attributes of these types are read.
    ///
    /// - Throws: `ConversionFailure`, or whatever the types throw.
    func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try (exists ? self : .null).withJSONBytes { bytes in
            let tape = try TokenTape.checked(bytes, .attributes)
            do {
                return try TapeDecoder(tape).decode(type)
            } catch let error as DecodingError {
                guard let context = error.context, let misfit = context.underlyingError as? Misfit else { throw error }
                // The path within another value, whose decoder somebody kept, leads nowhere here.
                throw misfit.failure(at: misfit.tape === tape ? context.codingPath.steps : [])
            }
        }
    }
}
