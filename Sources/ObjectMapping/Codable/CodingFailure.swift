import Synchronization

/// Where the `Codable` conversions of `JSONConvertible`, which can only say that they failed, leave why.
final class CodingFailure: Sendable {
    @TaskLocal private static var current: CodingFailure?

    private let failure = Mutex<ConversionFailure?>(nil)

    /// Leaves a failure to whoever wants to know; the first one counts.
    static func note(_ failure: ConversionFailure) { current?.failure.withLock { $0 = $0 ?? failure } }

    /// Why a conversion failed during a closure; nil if none did.
    static func noted<Value>(during body: () throws -> Value) rethrows -> ConversionFailure? {
        let note = CodingFailure()
        _ = try $current.withValue(note, operation: body)
        return note.failure.withLock(\.self)
    }
}

extension ConversionFailure {
    /// What an error of `Decodable` says.
    ///
    /// - Parameters:
    ///   - json: The value that was decoded.
    ///   - expectation: What it should be, in words.
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
                .invalidValue, at: path, expected: path.isEmpty ? expectation : "a value as \(expectation) has it",
                found: "\(found.kindName) that cannot be converted")
        }
    }

    /// What an error of `Encodable` says.
    init(_ error: any Error, encoding type: Any.Type) {
        if let failure = error as? ConversionFailure {
            self = failure
            return
        }
        guard case .invalidValue(let value, let context)? = error as? EncodingError else {
            self.init(.invalidValue, expected: "\(type)", found: "one that cannot be encoded")
            return
        }
        self.init(
            .invalidValue, at: context.codingPath.steps, expected: "a value that JSON has",
            found: "\(Swift.type(of: value)) that it has not")
    }
}

/// The place of an element, as a coding key.
struct IndexKey: CodingKey {
    let index: Int
    var stringValue: String { "Index \(index)" }
    var intValue: Int? { index }

    init(_ index: Int) { self.index = index }
    init?(stringValue: String) { nil }
    init?(intValue: Int) { index = intValue }
}

extension [any CodingKey] {
    /// The path as messages write it.
    var steps: [JSONPathStep] {
        map { key in (key as? IndexKey).map { .index($0.index) } ?? .key(key.stringValue) }
    }
}

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
        let misfit = Misfit(tape, place, expected: "the key '\(key.stringValue)'").missing(key, in: place)
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
