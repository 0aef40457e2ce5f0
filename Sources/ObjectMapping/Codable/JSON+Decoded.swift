extension JSON {
    /// The value of a `Decodable` type; dates, data, URLs and decimals as attributes of these types are read.
    ///
    /// - Throws: `ConversionFailure`, or any error of the types.
    func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        let tape = try DecodingTape.read(self, .attributes)
        do {
            return try TapeDecoder(tape).decode(type)
        } catch let error as DecodingError {
            guard let context = error.context, let misfit = context.underlyingError as? Misfit else { throw error }
            // The path within another value, whose decoder somebody kept, leads nowhere here.
            throw misfit.failure(at: misfit.tape === tape ? context.codingPath.steps : [])
        }
    }
}
