import Synchronization

/// Decodes `Decodable` types with the settings and errors of `JSONDecoder`, but faster and with error positions.
///
/// ```swift
/// let decoder = MappingDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// decoder.dateDecodingStrategy = .iso8601
/// let tasks = try decoder.decode([Task].self, from: data)
/// ```
///
/// Values are equal to those of `JSONDecoder`, with these differences:
///
/// - The text is UTF-8, with or without a byte order mark; UTF-16 and UTF-32 are errors.
/// - A trailing comma is an error on all platforms; `JSONDecoder` accepts it on Linux.
/// - The whole text is validated, including values that no type decodes, and numbers of more than 1,024 characters are
///   errors.
/// - Numbers do not lose precision: `1.0000000000000001` is not an integer, and a `Decimal` has up to 38 digits.
/// - Keys are equal if their Unicode scalars are equal: composed and decomposed characters differ.
/// - JSON5, texts without outer braces, and types that require a configuration are not supported.
/// - `allKeys` are in the order of the text. As in `JSONDecoder`, the first of repeated keys is used.
///
/// An error is a `DecodingError` of the same case as in `JSONDecoder`. Its `debugDescription` contains the position,
/// and what was expected and found, but no value; its `underlyingError` is a `MappingError` with the issue. Its
/// `codingPath` leads to the value, even if the path of `JSONDecoder` is empty (numbers out of range) or ends above the
/// value (invalid ISO 8601 dates). Errors of custom types and closures are passed through unchanged.
///
/// A decoder can be used from several threads concurrently; a decode uses the settings at its start.
public final class MappingDecoder: Sendable {
    private let settings = Mutex(DecodingSettings())

    /// Creates a decoder with the default settings of `JSONDecoder`.
    public init() {}

    /// The strategy for dates.
    ///
    /// Defaults to `.deferredToDate` (seconds since 2001).
    public var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy {
        get { settings.withLock(\.dates) }
        set { settings.withLock { $0.dates = newValue } }
    }

    /// The strategy for `Data`.
    ///
    /// Defaults to `.base64`.
    public var dataDecodingStrategy: JSONDecoder.DataDecodingStrategy {
        get { settings.withLock(\.data) }
        set { settings.withLock { $0.data = newValue } }
    }

    /// The strategy for infinities and NaN, which JSON numbers cannot represent.
    ///
    /// Defaults to `.throw`.
    public var nonConformingFloatDecodingStrategy: JSONDecoder.NonConformingFloatDecodingStrategy {
        get { settings.withLock(\.nonConformingFloats) }
        set { settings.withLock { $0.nonConformingFloats = newValue } }
    }

    /// The strategy for keys.
    ///
    /// Defaults to `.useDefaultKeys`.
    ///
    /// The keys of dictionaries with string keys are data, and are not converted.
    public var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy {
        get { settings.withLock(\.keys) }
        set { settings.withLock { $0.keys = newValue } }
    }

    /// The `userInfo` of decoders.
    ///
    /// Defaults to an empty dictionary.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { settings.withLock(\.userInfo) }
        set { settings.withLock { $0.userInfo = newValue } }
    }

    /// The limits of a text: its `depth`, which defaults to 512 levels, and its `byteCount`, which defaults to 1 GiB.
    ///
    /// Texts above 4 GiB are never decoded. The other limits are not used.
    public var limits: MappingLimits {
        get { settings.withLock(\.limits) }
        set { settings.withLock { $0.limits = newValue } }
    }

    /// Decodes a value from a text.
    ///
    /// The time is proportional to the text. During the call, memory is used for a copy of the text and its tokens: two
    /// to three bytes per byte of usual texts, and up to 13 for empty arrays. A type that stores its decoder, and
    /// errors that are caught in a type, retain this memory.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - text: `Data`, bytes, a `String` or a `JSON`; an absent value is null.
    /// - Returns: The value.
    /// - Throws: `DecodingError` for a text that is invalid or does not match the type; errors thrown by the types.
    public func decode<Value: Decodable>(_ type: Value.Type, from text: some JSONInput) throws -> Value {
        var settings = settings.withLock { $0 }
        let tape: DecodingTape
        if let json = text as? JSON {
            settings.hasPlaces = false
            tape = try DecodingTape.read(json, settings)
        } else {
            tape = try text.withJSONView { bytes throws(DecodingError) in try DecodingTape.read(bytes, settings) }
        }
        do {
            return try TapeDecoder(tape).decode(type)
        } catch let error as DecodingError {
            guard let tapeError = error.context?.underlyingError as? TapeError else { throw error }
            throw error.replacingContext(with: tapeError.issue)
        }
    }
}
