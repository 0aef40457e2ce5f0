import Synchronization

/// Decodes whole `Decodable` types with this library's reader: `JSONDecoder`'s settings and errors, in a fraction of its
/// time, and with the place of what is wrong.
///
/// ```swift
/// let decoder = MappingDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// decoder.dateDecodingStrategy = .iso8601
/// let tasks = try decoder.decode([Task].self, from: data)
/// ```
///
/// What `JSONDecoder` decodes is decoded to equal values, but for this:
///
/// - Text is UTF-8, with or without a byte order mark; UTF-16 and UTF-32 are errors.
/// - A comma behind the last element or member is an error everywhere; `JSONDecoder` takes it on Linux.
/// - All of the text is checked, what no type asks for too, and numbers of more than 1,024 characters are errors.
/// - Numbers lose nothing: `1.0000000000000001` is no integer, and no `Decimal` keeps more than 38 digits.
/// - Keys are equal when their Unicode scalars are: an `é` of one scalar is not one of two.
/// - JSON5, texts without their outer braces and types that want a configuration are not decoded.
/// - `allKeys` are in the order of the text. As with `JSONDecoder` the first one of repeated keys counts.
///
/// An error is a `DecodingError` of the same case as `JSONDecoder`'s. Its `debugDescription` tells the place, what was
/// expected and what was found, but no value; its `underlyingError` is a `MappingError` with the issue. Its `codingPath`
/// leads to the value even where `JSONDecoder` leaves it empty (numbers that do not fit) or ends above it (dates that
/// are no ISO 8601). Errors of one's own types and closures pass as they are.
///
/// One decoder may be used from many threads at once; a decode goes by the settings at its start.
public final class MappingDecoder: Sendable {
    private let settings = Mutex(DecodingSettings())

    /// A decoder with the settings that `JSONDecoder` starts with.
    public init() {}

    /// How dates are decoded; as they decode themselves (seconds since 2001) by default.
    public var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy {
        get { settings.withLock(\.dates) }
        set { settings.withLock { $0.dates = newValue } }
    }

    /// How `Data` is decoded; from base64 by default.
    public var dataDecodingStrategy: JSONDecoder.DataDecodingStrategy {
        get { settings.withLock(\.data) }
        set { settings.withLock { $0.data = newValue } }
    }

    /// Whether there are texts for infinities and NaN, which JSON has no numbers for; none by default.
    public var nonConformingFloatDecodingStrategy: JSONDecoder.NonConformingFloatDecodingStrategy {
        get { settings.withLock(\.nonConformingFloats) }
        set { settings.withLock { $0.nonConformingFloats = newValue } }
    }

    /// How keys become those that types know; as they stand by default.
    ///
    /// The keys of dictionaries with texts as keys are data, and stay.
    public var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy {
        get { settings.withLock(\.keys) }
        set { settings.withLock { $0.keys = newValue } }
    }

    /// What types find in their decoder's `userInfo`; nothing by default.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { settings.withLock(\.userInfo) }
        set { settings.withLock { $0.userInfo = newValue } }
    }

    /// Bounds that a text must keep: its `depth`, 512 levels by default, and its `byteCount`, 1 GiB by default.
    ///
    /// Texts above 4 GiB are never decoded, whatever the limit. The other limits are not used.
    public var limits: MappingLimits {
        get { settings.withLock(\.limits) }
        set { settings.withLock { $0.limits = newValue } }
    }

    /// Decodes the value that a text holds, with nothing but blanks around it.
    ///
    /// Takes time in proportion to the text, and while it runs the memory of a copy of it and of its tokens: two to three
    /// bytes for a byte of usual texts, at most 13 (of nothing but empty arrays). Whatever a type keeps of its decoder,
    /// and errors that are caught within a type, keep this memory.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - text: `Data`, bytes, a `String` or a `JSON`; one that is absent is null.
    /// - Returns: The value.
    /// - Throws: `DecodingError` for a text that is broken or does not suit the type; whatever the types throw.
    public func decode<Value: Decodable>(_ type: Value.Type, from text: some JSONInput) throws -> Value {
        var settings = settings.withLock { $0 }
        let tape: DecodingTape
        if let json = text as? JSON {
            settings.hasPlaces = false
            tape = try DecodingTape.read(json, settings)
        } else {
            let result = text.withJSONView { [settings] bytes in
                Result { () throws(DecodingError) in try DecodingTape.read(bytes, settings) }
            }
            tape = try result.get()
        }
        do {
            return try TapeDecoder(tape).decode(type)
        } catch let error as DecodingError {
            guard let misfit = error.context?.underlyingError as? Misfit else { throw error }
            throw error.telling(misfit.issue)
        }
    }
}
