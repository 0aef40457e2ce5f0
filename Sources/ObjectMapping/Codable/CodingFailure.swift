import Synchronization

/// Collects the reasons of failures in the `Codable` conversions of `JSONConvertible`, which can only return `nil`.
final class CodingFailure: Sendable {
    @TaskLocal private static var current: CodingFailure?

    private let failure = Mutex<ConversionFailure?>(nil)

    /// Records a failure; the first one is kept.
    static func note(_ failure: ConversionFailure) { current?.failure.withLock { $0 = $0 ?? failure } }

    /// Returns the reason why a conversion failed in a closure; `nil` if none failed.
    static func noted<Value>(during body: () throws -> Value) rethrows -> ConversionFailure? {
        let note = CodingFailure()
        _ = try $current.withValue(note, operation: body)
        return note.failure.withLock(\.self)
    }
}

extension ConversionFailure {
    /// Converts an error of `Decodable`.
    ///
    /// - Parameters:
    ///   - json: The value that was decoded.
    ///   - expectation: A noun for the expected value.
    init(_ error: any Error, in json: JSON, as expectation: String) {
        if let failure = error as? ConversionFailure {
            self = failure
            return
        }
        guard let error = error as? DecodingError else {
            self.init(.invalidValue, expected: expectation, found: "\(json.kindName) that cannot be converted")
            return
        }
        let path = error.context?.codingPath.steps ?? []
        let found = json.value(at: path)
        switch error {
        case .keyNotFound(let key, _): self.init(missing: key.stringValue, at: path, in: found.object)
        case .typeMismatch(let type, _), .valueNotFound(let type, _):
            self.init(.typeMismatch, at: path, expected: "\(type)", found: found.kindName)
        default:
            self.init(
                .invalidValue, at: path, expected: path.isEmpty ? expectation : "a value in \(expectation)",
                found: "\(found.kindName) that cannot be converted")
        }
    }

    /// Converts an error of `Encodable`.
    init(_ error: any Error, encoding type: Any.Type) {
        if let failure = error as? ConversionFailure {
            self = failure
            return
        }
        guard case .invalidValue(let value, let context)? = error as? EncodingError else {
            self.init(.invalidValue, expected: "\(type)", found: "a value that cannot be encoded")
            return
        }
        self.init(
            .invalidValue, at: context.codingPath.steps, expected: "a value that JSON can represent",
            found: "a \(Swift.type(of: value))")
    }
}

/// The index of an element as a coding key.
struct IndexKey: CodingKey {
    let index: Int
    var stringValue: String { "Index \(index)" }
    var intValue: Int? { index }

    init(_ index: Int) { self.index = index }
    init?(stringValue: String) { nil }
    init?(intValue: Int) { index = intValue }
}

extension [any CodingKey] {
    /// The path in messages.
    var steps: [JSONPathStep] {
        map { key in (key as? IndexKey).map { .index($0.index) } ?? .key(key.stringValue) }
    }
}

extension TapeDecoder {
    /// Returns the error of a value of the wrong kind; null counts as missing.
    func mismatch(
        _ type: Any.Type, _ expected: String, at place: Int, under key: (any CodingKey)? = nil
    ) -> DecodingError {
        let tapeError = TapeError(tape, place, expected: expected)
        return tape.tokens.token(place).isNull
            ? .valueNotFound(type, context(tapeError, under: key)) : .typeMismatch(type, context(tapeError, under: key))
    }

    /// Returns the error of a missing or invalid scalar.
    @inline(never) func failure<Scalar: TapeScalar>(
        of type: Scalar.Type, at place: Int, under key: (any CodingKey)? = nil
    ) -> DecodingError {
        let tapeError = Scalar.tapeError(tape, place)
        if tape.tokens.token(place).isNull, type != Bool.self {
            return .valueNotFound(type, context(tapeError, under: key))
        }
        return tapeError.kind == .typeMismatch
            ? .typeMismatch(type, context(tapeError, under: key)) : .dataCorrupted(context(tapeError, under: key))
    }

    /// Returns the error of a missing key.
    @inline(never) func missing(_ key: any CodingKey) -> DecodingError {
        let tapeError = TapeError(tape, place, expected: "the key '\(key.stringValue)'").missing(key, in: place)
        return .keyNotFound(key, context(tapeError))
    }

    /// Returns the error of a value with the right kind, but invalid content.
    func corrupted(_ tapeError: TapeError) -> DecodingError { .dataCorrupted(context(tapeError)) }

    func context(_ tapeError: TapeError, under key: (any CodingKey)? = nil) -> DecodingError.Context {
        var tapeError = tapeError
        if tapeError.place == TokenTape.nothing, let parent, let absent = self.key {
            tapeError = tapeError.missing(absent, in: parent.place)
        }
        return DecodingError.Context(
            codingPath: codingPath + (key.map { [$0] } ?? []),
            debugDescription: "expected \(tapeError.expected), found \(tapeError.found)", underlyingError: tapeError)
    }
}
