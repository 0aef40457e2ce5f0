extension TapeDecoder {
    /// Decodes the value as a type.
    @inline(__always) func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decode(type, as: tape.kind(of: type))
    }

    func decode<Value: Decodable>(_ type: Value.Type, as kind: DecodableKind) throws -> Value {
        switch kind {
        case .plain: return try plain(type)
        case .integers: return same(try scalars(Int.self), as: type)
        case .doubles: return same(try scalars(Double.self), as: type)
        case .strings: return same(try scalars(String.self), as: type)
        case .list(let list): return try elements(of: list, as: type)
        case .dictionary: return try keepingKeys { try plain(type) }
        case .date: return same(try date(), as: type)
        case .data: return same(try data(), as: type)
        case .url: return same(try url(), as: type)
        case .uuid: return same(try uuid(), as: type)
        case .decimal: return same(try decimal(), as: type)
        }
    }

    /// Decodes an object whose keys are data.
    private func keepingKeys<Value>(_ decode: () throws -> Value) rethrows -> Value {
        let (kept, known) = (keepsKeys, lookup)
        keepsKeys = true
        lookup.reset(first: place + 2)
        defer { (keepsKeys, lookup) = (kept, known) }
        return try decode()
    }

    private func elements<List: DecodableList, Value>(of list: List.Type, as type: Value.Type) throws -> Value {
        try checkStack()
        return same(try List(elementsOf: self), as: type)
    }

    @inline(__always) private func plain<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try checkStack()
        do {
            return try type.init(from: self)
        } catch let error as DecodingError {
            throw replacement(for: error, of: type)
        }
    }

    /// Replaces the errors of the standard library for unknown raw values and for bounds, which contain the value.
    ///
    /// They can be distinguished from errors of custom types only by their text; if the text changes, they are passed
    /// through.
    @inline(never) private func replacement(for error: DecodingError, of type: Any.Type) -> DecodingError {
        guard case .dataCorrupted(let context) = error, context.underlyingError == nil,
            tape.settings.convertsAsAttributes
                || ((type is any RawRepresentable.Type || type is any RangeExpression.Type)
                    && context.debugDescription.hasPrefix("Cannot initialize "))
        else { return error }
        guard context.codingPath.map(\.stringValue) == codingPath.map(\.stringValue) else { return error }
        let found = "\(tape.tokens.kind(place).name) that is not a valid \(type)"
        let failure = ConversionFailure(.invalidValue, expected: nameWithCases(of: type), found: found)
        return corrupted(TapeError(tape, place, failure, enumeration: type))
    }

    /// Returns the elements of an array of scalars.
    private func scalars<Scalar: TapeScalar>(_ type: Scalar.Type) throws -> [Scalar] {
        let (first, count) = try elements()
        // A new array without elements is the empty array shared by all threads, which must not be written to.
        guard count > 0 else { return [] }
        let tape = tape
        return try [Scalar](count: count) { index in
            guard let value = Scalar.read(tape, first + index) else {
                throw failure(of: type, at: first + index, under: IndexKey(index))
            }
            return value
        }
    }

    // MARK: Types of Foundation

    private func date() throws -> Date {
        if tape.settings.convertsAsAttributes { return try attribute() }
        guard !token.isNull else { throw mismatch(Date.self, "a date", at: place) }
        let strategy = tape.settings.dates
        if case .deferredToDate = strategy { return Date(timeIntervalSinceReferenceDate: try scalar()) }
        if case .secondsSince1970 = strategy { return Date(timeIntervalSince1970: try scalar()) }
        if case .millisecondsSince1970 = strategy { return Date(timeIntervalSince1970: try scalar() / 1000) }
        if case .iso8601 = strategy { return try isoDate() }
        if case .custom(let decode) = strategy { return try decode(self) }
        return try converted(strategy.formattedDate(scalar()), .misspelt(.date), "a date of the formatter's form")
    }

    private func isoDate() throws -> Date {
        // The common form is parsed directly, and others by Foundation.
        if token.isPlainString(ofLength: 20) {
            let start = tape.tokens.text + token.offset + 1
            if start[10] == UInt8(ascii: "T"), start[19] == UInt8(ascii: "Z"), start[17] < UInt8(ascii: "6"),
                start[0] == UInt8(ascii: "2") || (start.halfWord & 0xFFFF) == 0x3931,
                let date = ISODate.seconds(start, 20)
            {
                return Date(timeIntervalSince1970: Double(date.whole))
            }
        }
        let text: String = try scalar()
        return try converted(try? Date.ISO8601FormatStyle().parse(text), .misspelt(.date), "an ISO 8601 date")
    }

    private func data() throws -> Data {
        if tape.settings.convertsAsAttributes { return try attribute() }
        guard !token.isNull else { throw mismatch(Data.self, "base64 data", at: place) }
        switch tape.settings.data {
        case .deferredToData: return try Data(from: self)
        case .custom(let decode): return try decode(self)
        default: return try converted(Data(validating: scalar()), .misspelt(.base64), "base64 data")
        }
    }

    private func url() throws -> URL {
        if tape.settings.convertsAsAttributes { return try attribute() }
        guard !token.isNull else { throw mismatch(URL.self, "a URL", at: place) }
        return try converted(URL(string: scalar()), .misspelt(.URL), "a URL")
    }

    private func uuid() throws -> UUID { try converted(UUID(validating: scalar()), .misspelt(.UUID), "a UUID") }

    private func decimal() throws -> Decimal {
        if tape.settings.convertsAsAttributes { return try attribute() }
        guard token.isNumber else { throw mismatch(Decimal.self, "a decimal number", at: place) }
        return try converted(NumberText(tape.tokens.numberText(place)).decimal, .outOfRange, "a decimal number")
    }

    private func converted<Value>(
        _ value: Value?, _ failure: ScalarToken.Failure, _ expected: String
    ) throws -> Value {
        guard let value else { throw corrupted(TapeError(tape, place, failure, expected: expected)) }
        return value
    }

    /// Decodes the value like an attribute of the type.
    private func attribute<Value: JSONConvertible & Decodable>() throws -> Value {
        let json = tape.value(at: place)
        if !json.isNull, let value = Value(json: json) { return value }
        let failure = Value.failure(of: json)
        let tapeError = TapeError(tape, place, failure)
        throw failure.kind == .typeMismatch ? .typeMismatch(Value.self, context(tapeError)) : corrupted(tapeError)
    }
}

/// How the values of a type are decoded.
enum DecodableKind {
    case plain
    case date, data, url, uuid, decimal
    case integers, doubles, strings
    case list(any DecodableList.Type)
    /// A dictionary whose keys are data, to which no strategy applies.
    case dictionary

    init(_ type: any Decodable.Type, _ settings: DecodingSettings) {
        switch type {
        case is Date.Type: self = .date
        case is Data.Type: self = .data
        case is URL.Type: self = .url
        case is UUID.Type: self = .uuid
        case is Decimal.Type: self = .decimal
        case is [Int].Type: self = .integers
        case is [Double].Type: self = .doubles
        case is [String].Type: self = .strings
        case let list as any DecodableList.Type: self = .list(list)
        default: self = !settings.keepsKeys && type is any KeyedByStrings.Type ? .dictionary : .plain
        }
    }
}

/// An array of decodable elements.
protocol DecodableList: Decodable {
    /// Decodes the elements one by one, without a container.
    init(elementsOf decoder: TapeDecoder) throws
}

/// A dictionary with string keys.
protocol KeyedByStrings {}

extension Dictionary: KeyedByStrings where Key == String, Value: Decodable {}

extension Array: DecodableList where Element: Decodable {
    init(elementsOf decoder: TapeDecoder) throws {
        let tape = decoder.tape
        let (first, count) = try decoder.elements()
        let kind = tape.kind(of: Element.self)
        self.init()
        // A short text must not allocate much memory.
        reserveCapacity(Swift.min(count, Swift.max(16, 8 * tape.count / MemoryLayout<Element>.stride.positive)))
        var place = first
        var element = decoder.child(at: place, index: 0)
        for index in 0..<count {
            decoder.reuse(&element, at: place, index: index)
            append(try element.decode(Element.self, as: kind))
            place = tape.tokens.end(of: place)
        }
        decoder.recycle(&element)
    }
}

extension Int { fileprivate var positive: Int { Swift.max(1, self) } }
