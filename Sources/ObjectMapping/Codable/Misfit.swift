/// Why a value could not be decoded, by its place on the tape.
///
/// Lines, columns and near names are worked out only for the error that the caller of `decode` gets: types that try one
/// form after the other throw many that nobody reads.
struct Misfit: Error, CustomStringConvertible,
    @unchecked Sendable  // guarded by reading only what never changes on the tape: text, tokens, settings
{
    private(set) var kind: MappingIssue.Kind
    let expected: String
    private(set) var found: String
    /// The tape that the place is on: an error may come out of the decode of another text.
    let tape: DecodingTape
    /// Of the value; of the object where a key is missing.
    private(set) var place: Int
    var missingKey: String?
    /// The type whose cases may be meant.
    var enumeration: Any.Type?

    init(_ tape: DecodingTape, _ place: Int, _ kind: MappingIssue.Kind, expected: String, found: String) {
        self.tape = tape
        self.kind = kind
        self.place = place
        self.expected = expected
        self.found = found
    }

    /// What is wrong with a value of a known type; without a failure it is of another kind.
    init(_ tape: DecodingTape, _ place: Int, _ failure: ScalarToken.Failure? = nil, expected: String) {
        let failure = ConversionFailure(failure ?? .kind, tape.tokens.kind(place).name, expected: expected)
        self.init(tape, place, failure.kind, expected: failure.expected, found: failure.found)
    }

    /// What is wrong with a value that is not there, told of the object that lacks it.
    func missing(_ key: any CodingKey, in object: Int) -> Misfit {
        var misfit = self
        (misfit.kind, misfit.place, misfit.missingKey) = (.missing, object, key.stringValue)
        misfit.found = "no such key"
        return misfit
    }

    /// The issue without its place.
    func failure(at path: [JSONPathStep]) -> ConversionFailure {
        var failure = ConversionFailure(kind, at: path, expected: expected, found: found)
        failure.missingKey = missingKey
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
            kind: kind, path: (found.path + (missingKey.map { [.key($0)] } ?? [])).text,
            position: tape.settings.hasPlaces ? found.position : .unknown, expected: expected, found: self.found,
            suggestions: suggestions, value: text.map { $0.count > 60 ? "\($0.prefix(60))…" : $0 })
    }

    var description: String { issue.description }

    private var suggestions: [String] {
        if let missingKey {
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
