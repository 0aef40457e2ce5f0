extension Conversion {
    /// Several conversions, tried in turn: the first that succeeds reads, the first of all writes.
    ///
    /// If all fail, the issue says what each expected.
    public static func first(of first: Conversion, _ others: Conversion...) -> Conversion {
        let all = [first] + others
        let expectation = all.map(\.expectation).alternatives
        var conversion = Conversion(expectation) { json in
            for one in all {
                if let value = try? one.value(of: json) { return value }
            }
            throw ConversionFailure(
                .invalidValue, expected: expectation, found: "\(json.kindName) that is none of them")
        } write: { value in
            try first.write(value)
        }
        conversion.acceptsNull = first.acceptsNull
        conversion.isBlankNone = all.contains(where: \.isBlankNone)
        conversion.mistake = all.lazy.compactMap(\.mistake).first
        return conversion
    }

    /// The same conversion, with a value for whatever it cannot convert: `.date(.rfc1123).orElse(.distantPast)`.
    public func orElse(_ fallback: Value) -> Conversion where Value: Sendable {
        var conversion = Conversion(expectation) { json in
            (try? value(of: json)) ?? fallback
        } write: { value in
            try write(value)
        }
        conversion.acceptsNull = acceptsNull
        conversion.isBlankNone = isBlankNone
        conversion.mistake = mistake
        return conversion
    }
}

extension Conversion where Value: JSONConvertible {
    /// What the type does without a conversion; to be combined with others.
    public static var standard: Conversion {
        var conversion = Conversion(Value.expectation) { json in
            if let value = Value(json: json) { return value }
            throw Value.failure(of: json)
        } write: { value in
            try value.soundJSON()
        }
        conversion.makeBox = { Value.valuePlan.reading.box() }
        conversion.acceptsNull = Value.valuePlan.reading.acceptsNull
        return conversion
    }
}

extension Conversion where Value: RawRepresentable & JSONConvertible & Sendable {
    /// What the enum does, with a case for whatever it does not know: `.using(.orElse(.other))`.
    public static func orElse(_ fallback: Value) -> Conversion { Conversion.standard.orElse(fallback) }
}

extension Conversion where Value: Numeric & JSONConvertible {
    /// What the number does when read; written as a text: `"12"`, `"0.10"`.
    public static var asString: Conversion {
        var conversion = Conversion.standard
        conversion.write = { value in
            let json = value.json
            return json.isNumber ? .string(json.text) : json
        }
        return conversion
    }
}
