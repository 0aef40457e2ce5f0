/// The reason why a value could not be decoded, with its place on the tape.
///
/// Lines, columns and suggestions are calculated only for the error that `decode` throws: types that try several forms
/// throw many errors that are discarded.
struct TapeError: Error, CustomStringConvertible,
    @unchecked Sendable  // reads only constants of the tape: text, tokens, settings
{
    private var failure: ConversionFailure
    /// The tape of the place: an error can come from the decode of another text.
    let tape: DecodingTape
    /// The place of the value, or of the object with a missing key.
    private(set) var place: Int
    /// The enum whose cases are suggested.
    var enumeration: Any.Type?

    var kind: MappingIssue.Kind { failure.kind }
    var expected: String { failure.expected }
    var found: String { failure.found }

    init(_ tape: DecodingTape, _ place: Int, _ failure: ConversionFailure, enumeration: Any.Type? = nil) {
        self.tape = tape
        self.place = place
        self.failure = failure
        self.enumeration = enumeration
    }

    /// Creates the error of a value of a known type; without a failure, its kind is wrong.
    init(_ tape: DecodingTape, _ place: Int, _ failure: ScalarToken.Failure? = nil, expected: String) {
        self.init(
            tape, place, ConversionFailure(failure ?? .kind, tape.tokens.kind(place).name, expected: expected))
    }

    /// Returns the error of a missing value, for the object without it.
    func missing(_ key: any CodingKey, in object: Int) -> TapeError {
        var failure = ConversionFailure(.missing, expected: expected, found: "no such key")
        failure.missingKey = key.stringValue
        return TapeError(tape, object, failure)
    }

    /// Returns the issue without its position.
    func failure(at path: [JSONPathStep]) -> ConversionFailure {
        var failure = failure
        failure.path = path
        failure.suggestions = suggestions
        return failure
    }

    /// The issue with its position.
    var issue: MappingIssue {
        let bytes = tape.bytes
        let offset = tape.count - bytes.count
        let found =
            JSONTokenizer.places(offsets: [tape.tokens.token(place).offset - offset], in: bytes).first
            ?? ([], TextPosition())
        let text = tape.tokens.token(place).isContainer ? nil : tape.value(at: place).text
        return MappingIssue(
            kind: kind, path: (found.path + (failure.missingKey.map { [.key($0)] } ?? [])).text,
            position: tape.settings.hasPlaces ? found.position : .unknown, expected: expected, found: self.found,
            suggestions: suggestions, value: text.map { $0.count > 60 ? "\($0.prefix(60))…" : $0 })
    }

    var description: String { issue.description }

    private var suggestions: [String] {
        if let missingKey = failure.missingKey {
            var keys: [String] = []
            tape.tokens.forEachKey(of: place, atMost: 100) { key, _ in keys.append(key) }
            return nearestNames(to: missingKey, among: keys)
        }
        guard let enumeration, let text = tape.tokens.string(place) else { return [] }
        return nearestNames(to: text, among: rawTexts(of: enumeration))
    }
}

extension DecodingError {
    /// The context of the error.
    var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    /// Returns the error with the issue in its description and as its underlying error.
    func replacingContext(with issue: MappingIssue) -> DecodingError {
        let context = Context(
            codingPath: context?.codingPath ?? [], debugDescription: issue.description,
            underlyingError: MappingError(issue))
        switch self {
        case .typeMismatch(let type, _): return .typeMismatch(type, context)
        case .valueNotFound(let type, _): return .valueNotFound(type, context)
        case .keyNotFound(let key, _): return .keyNotFound(key, context)
        default: return .dataCorrupted(context)
        }
    }
}
