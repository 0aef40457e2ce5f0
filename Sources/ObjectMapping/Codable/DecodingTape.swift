/// A tape with the settings and the memory of one decode; all its decoders and errors retain it.
final class DecodingTape {
    private let tape: TokenTape
    let tokens: Tokens
    /// The place of the decoded value.
    let root: Int
    let settings: DecodingSettings
    let powers = PowersOfFive.shared
    /// A cache of the decoders of types, by the addresses of their metadata.
    @safe @exclusivity(unchecked) private var kinds: ContiguousArray<(type: ObjectIdentifier, kind: DecodableKind)>
    @safe @exclusivity(unchecked) var stack = StackRoom()
    /// Keys converted by the strategy, by their spelling in the text.
    @safe @exclusivity(unchecked) var convertedKeys: [String: String] = [:]

    private static var kindCount: Int { 32 }

    private init(_ tape: TokenTape, root: Int = TokenTape.root, _ settings: DecodingSettings) {
        self.tape = tape
        tokens = tape.tokens
        self.root = root
        self.settings = settings
        kinds = ContiguousArray(repeating: (ObjectIdentifier(Never.self), .plain), count: DecodingTape.kindCount)
    }

    /// Parses a text.
    ///
    /// - Throws: `DecodingError` if the text is invalid or exceeds the limits.
    static func read(_ bytes: ByteView, _ settings: DecodingSettings) throws(DecodingError) -> DecodingTape {
        let limit = min(settings.limits.byteCount, Token.longestText)
        let depth = settings.limits.depth
        var issue: MappingIssue?
        if bytes.count > limit {
            issue = .tooLong(bytes.count, limit: limit)
        } else if let tape = TokenTape.read(bytes, maximumDepth: depth, keepsRepeatedKeys: true) {
            return DecodingTape(tape, settings)
        } else {
            issue = JSONTokenizer.firstIssue(in: bytes, maximumDepth: depth)
        }
        if !settings.hasPlaces { issue = issue?.withoutPlace }
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: [], debugDescription: issue?.description ?? "no JSON",
                underlyingError: issue.map { MappingError($0) }))
    }

    /// Returns the tape of a value: the existing one if the value was parsed from text.
    ///
    /// An absent value is null.
    ///
    /// - Throws: `DecodingError` if the value exceeds the limits.
    static func read(_ json: JSON, _ settings: DecodingSettings) throws(DecodingError) -> DecodingTape {
        // The only limit left to check is the length of the text, in which escapes can grow to six bytes.
        if case .parsed(let tape, let place) = json.storage, tape.depth <= settings.limits.depth,
            tape.bytes.count <= settings.limits.byteCount / 6
        {
            return DecodingTape(tape, root: place, settings)
        }
        return try (json.exists ? json : .null).withJSONView { bytes throws(DecodingError) in
            try read(bytes, settings)
        }
    }

    /// The length of the text in bytes.
    var count: Int { tape.bytes.count }

    /// The text, starting at the decoded value.
    var bytes: ByteView {
        let start = root == TokenTape.root ? 0 : tokens.token(root).offset
        return tape.bytes.dropFirst(start)
    }

    /// Returns the value at a place.
    func value(at place: Int) -> JSON { tape.value(at: place) }

    /// Returns how a type is decoded, from the cache if possible.
    @inline(__always) func kind<Value: Decodable>(of type: Value.Type) -> DecodableKind {
        let id = ObjectIdentifier(type)
        let slot = Int(truncatingIfNeeded: UInt(bitPattern: id) >> 4) & (DecodingTape.kindCount - 1)
        if kinds[slot].type == id { return kinds[slot].kind }
        let kind = DecodableKind(type, settings)
        kinds[slot] = (id, kind)
        return kind
    }
}

/// The settings of a decode.
struct DecodingSettings: Sendable {
    var dates = JSONDecoder.DateDecodingStrategy.deferredToDate
    var data = JSONDecoder.DataDecodingStrategy.base64
    var nonConformingFloats = JSONDecoder.NonConformingFloatDecodingStrategy.throw
    var keys = JSONDecoder.KeyDecodingStrategy.useDefaultKeys
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    var limits = MappingLimits()
    /// Whether the text was passed by the user, and not created from a value.
    var hasPlaces = true
    /// Whether dates, data, URLs and decimals are read like attributes of these types, regardless of the strategies.
    var convertsAsAttributes = false

    /// The settings of `Codable` attributes: the limits of the payload were already checked, and the nesting is limited
    /// to the maximum.
    static let attributes = DecodingSettings(
        limits: MappingLimits(depth: MappingLimits.largestDepth, byteCount: .max), hasPlaces: false,
        convertsAsAttributes: true)

    var keepsKeys: Bool {
        if case .useDefaultKeys = keys { true } else { false }
    }
}
