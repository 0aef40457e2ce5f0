/// Why a value could not be decoded, by its place on the tape.
///
/// Lines, columns and near names are worked out only for the error that the caller of `decode` gets: types that try one
/// form after the other throw many that nobody reads.
struct Misfit: Error, CustomStringConvertible,
    @unchecked Sendable  // guarded by reading only what never changes on the tape: text, tokens, settings
{
    private var failure: ConversionFailure
    /// The tape that the place is on: an error may come out of the decode of another text.
    let tape: DecodingTape
    /// Of the value; of the object where a key is missing.
    private(set) var place: Int
    /// The type whose cases may be meant.
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

    /// What is wrong with a value of a known type; without a failure it is of another kind.
    init(_ tape: DecodingTape, _ place: Int, _ failure: ScalarToken.Failure? = nil, expected: String) {
        self.init(
            tape, place, ConversionFailure(failure ?? .kind, tape.tokens.kind(place).name, expected: expected))
    }

    /// What is wrong with a value that is not there, told of the object that lacks it.
    func missing(_ key: any CodingKey, in object: Int) -> Misfit {
        var failure = ConversionFailure(.missing, expected: expected, found: "no such key")
        failure.missingKey = key.stringValue
        return Misfit(tape, object, failure)
    }

    /// The issue without its place.
    func failure(at path: [JSONPathStep]) -> ConversionFailure {
        var failure = failure
        failure.path = path
        failure.suggestions = suggestions
        return failure
    }

    /// The issue with its place.
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
    /// Where the error happened, and why.
    var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    /// The same error with the issue in its description and beneath it.
    func telling(_ issue: MappingIssue) -> DecodingError {
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
