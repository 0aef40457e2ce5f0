extension PlanReader {
    /// Reads a scalar, and returns its end; the bytes of a string with escapes are in `text`.
    mutating func scalar(_ place: Bytes) -> (token: ScalarToken, end: Bytes)? {
        switch place.pointee {
        case .quote:
            let start = place + 1
            var seen: UInt64 = 0
            let stop = scanString(start, &seen)
            if stop.pointee == .quote {
                guard !hasTopBits(seen) || isUTF8(start, stop - start) else { return nil }
                return (.string(start, stop - start), stop + 1)
            }
            text.removeAll()
            guard let end = unescape(start, into: &text) else { return nil }
            return (.string(text.text, text.count), end)
        case .openBrace: return skip(place).map { (.object, $0) }
        case .openBracket: return skip(place).map { (.array, $0) }
        case UInt8(ascii: "n"): return place.isNull ? (.null, place + 4) : nil
        case UInt8(ascii: "t"): return place.isTrue ? (.bool(true), place + 4) : nil
        case UInt8(ascii: "f"): return place.isFalse ? (.bool(false), place + 5) : nil
        default: return skipNumber(place).map { (.number(place, $0 - place), $0) }
        }
    }

    /// Reads a value that the fast path of a plain operation does not support: null, another kind, an unusual format.
    @inline(never) mutating func unusual(
        _ place: Bytes, _ entry: EntryRef, _ node: NodeRef?, _ base: Memory
    ) -> Bytes? {
        if place.isNull { return null(place, entry, node, base) }
        guard let (token, end) = scalar(place) else { return nil }
        let memory = base + entry.pointee.offset
        let operation = entry.pointee.operation
        let failure: ScalarToken.Failure?
        func store<Value>(_ result: Result<Value, ScalarToken.Failure>) -> ScalarToken.Failure? {
            switch result {
            case .success(let value):
                if operation.isOptional {
                    memory[as: Value?.self] = value
                } else {
                    memory[as: Value.self] = value
                }
                return nil
            case .failure(let failure): return failure
            }
        }
        switch operation {
        case .int, .optionalInt: failure = store(token.integer(Int.self))
        case .double, .optionalDouble: failure = store(token.double(powers))
        case .bool, .optionalBool: failure = store(token.bool)
        case .string, .optionalString: failure = store(token.string)
        default:
            let date = token.date(powers).map { Date(timeIntervalSince1970: Double($0.whole) + $0.fraction) }
            failure = store(date)
        }
        if let failure { note(failure, at: place, entry.pointee.rule, operation.expectation) }
        return end
    }

    /// Adds the issue of a value that could not be converted.
    @inline(never) mutating func note(
        _ failure: ScalarToken.Failure, at place: Bytes, _ rule: Int32, _ expected: String
    ) {
        let failure = ConversionFailure(failure, JSONKind(of: place).name, expected: expected)
        note(failure.kind, at: place, rule, failure.expected, failure.found)
    }

    /// Adds the issue of a value of the wrong kind, and skips it.
    @inline(never) mutating func mismatch(_ place: Bytes, _ rule: Int32, _ expected: String) -> Bytes? {
        guard let end = skip(place) else { return nil }
        note(.typeMismatch, at: place, rule, expected, JSONKind(of: place).name)
        return end
    }

    /// A noun for the expected value of an entry.
    func expectation(of entry: EntryRef) -> String {
        switch entry.pointee.operation {
        case .slot where entry.pointee.box == nil:
            AttributeType(entry.pointee.scalar, isList: entry.pointee.isList).expectation
        case .rows where entry.pointee.box == nil: entry.pointee.isList ? "an array of objects" : "an object"
        case .slot, .value, .assign, .level, .several, .rows:
            entry.pointee.box?.with { $0.expectation } ?? "a value"
        default: entry.pointee.operation.expectation
        }
    }
}

extension Operation {
    /// A noun for the expected value.
    var expectation: String {
        valueType.flatMap { AttributeType.Scalar($0) }.map { AttributeType($0).expectation } ?? "a value"
    }
}

extension AttributeType {
    /// A noun for the expected value.
    var expectation: String {
        let one =
            switch scalar {
            case .string: "a string"
            case .integer: "an integer"
            case .double: "a number"
            case .boolean: "a boolean"
            case .date: "an ISO 8601 date or seconds since 1970"
            case .decimal: "a decimal number"
            case .uuid: "a UUID"
            case .url: "a URL"
            case .data: "base64 data"
            case .json: "a JSON value"
            }
        return isList ? "a list, each element \(one)" : one
    }
}
