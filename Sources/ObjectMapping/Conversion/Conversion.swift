/// How JSON becomes a value and the value becomes JSON again, where its type does not say it or is to do it otherwise.
///
/// ```swift
/// Attribute("born", \.born).using(.date(.rfc1123))
/// Attribute("color", \.color, using: .hexColor)      // for a type that is not `JSONConvertible`
///
/// extension Conversion where Value == Color {
///     static let hexColor = Conversion("a color such as #ff8800") { json in
///         json.string.flatMap(Color.init(hex:))
///     } write: { color in
///         .string(color.hex)
///     }
/// }
/// ```
///
/// One for a type serves optionals, arrays, sets and dictionaries of it as well. Null never comes to a conversion: it
/// means what it means for the property.
public struct Conversion<Value>: Sendable {
    /// What a value should be, in words.
    let expectation: String
    /// Nil, or an error, says that a value cannot be converted.
    package let read: @Sendable (JSON) throws -> Value?
    package var write: @Sendable (Value) throws -> JSON
    /// How the value is read where `read` is not the way.
    var makeBox: @Sendable () -> ValueBox? = { nil }
    /// Whether null is a value of the type.
    var acceptsNull = false
    /// Whether a text of blanks is none, for an optional.
    var isBlankNone = false
    /// What is wrong with the conversion itself.
    var mistake: ConversionMistake?

    /// A conversion in both directions.
    ///
    /// - Parameters:
    ///   - expectation: What a value should be, for messages, with its article: `"a color such as #ff8800"`; the name
    ///     of the type by default.
    ///   - read: Converts a value that is not null. Nil, or whatever error, is an issue of the payload.
    ///   - write: Converts back. An error is an issue of what is serialized.
    public init(
        _ expectation: String = "\(Value.self)", read: @escaping @Sendable (JSON) throws -> Value?,
        write: @escaping @Sendable (Value) throws -> JSON
    ) {
        self.expectation = expectation
        self.read = read
        self.write = write
    }
}

/// A mistake in a conversion, which is one of the mapping.
struct ConversionMistake: Sendable {
    let expected: String
    let found: String
}

extension Conversion {
    /// The box that reads by the conversion.
    func box() -> ValueBox { makeBox() ?? ConversionBox(self) }

    /// The value that a JSON value becomes, or why it becomes none.
    func value(of json: JSON) throws(ConversionFailure) -> Value {
        do {
            if let value = try read(json) { return value }
        } catch let failure as ConversionFailure {
            throw failure
        } catch {
            // What the error says may hold the value, so it is not repeated.
        }
        throw ConversionFailure(.invalidValue, expected: expectation, found: "\(json.kindName) that is none")
    }
}
