/// A type that can be a value in a query or a form: texts (``FormText``), and lists and dictionaries of them.
public protocol FormValueConvertible {
    /// The value in a query or a form.
    var formValue: FormValue { get }
}

extension FormValue: FormValueConvertible {
    /// The value itself.
    public var formValue: FormValue { self }
}

extension Optional: FormValueConvertible where Wrapped: FormValueConvertible {
    /// The wrapped value, or null.
    public var formValue: FormValue { self?.formValue ?? .null }
}

extension Array: FormValueConvertible where Element: FormValueConvertible {
    /// The elements as a list.
    public var formValue: FormValue { .list(map(\.formValue)) }
}

extension Dictionary: FormValueConvertible where Key == String, Value: FormValueConvertible {
    /// The entries as fields, sorted by key.
    public var formValue: FormValue { FormValue(self) }
}

extension KeyValuePairs: FormValueConvertible where Key == String, Value: FormValueConvertible {
    /// The pairs as fields, in order.
    public var formValue: FormValue { .fields(map { .init(name: $0.key, value: $0.value.formValue) }) }
}

/// A value that is a single text in a query or a form.
///
/// Numbers use their `description`, `Bool` is `true` or `false`, and a `Date` is in ISO 8601 in UTC, with milliseconds
/// if they are not zero: `2026-11-21T07:23:00Z`. Custom types conform with one line:
///
/// ```swift
/// enum Colour: String, FormText { case red, green }
/// extension Money: FormText { var formText: String { "\(amount) \(currency)" } }
/// ```
public protocol FormText: FormValueConvertible {
    /// The text.
    var formText: String { get }
}

extension FormText {
    /// The text.
    public var formValue: FormValue { .text(formText) }
}

extension FormText where Self: CustomStringConvertible {
    /// The `description` of the value.
    public var formText: String { description }
}

extension FormText where Self: RawRepresentable, RawValue: FormText {
    /// The text of the raw value.
    public var formText: String { rawValue.formText }
}

extension String: FormText {}
extension Substring: FormText {}
extension Bool: FormText {}
extension Int: FormText {}
extension Int8: FormText {}
extension Int16: FormText {}
extension Int32: FormText {}
extension Int64: FormText {}
extension UInt: FormText {}
extension UInt8: FormText {}
extension UInt16: FormText {}
extension UInt32: FormText {}
extension UInt64: FormText {}
extension Float: FormText {}
extension Double: FormText {}
extension Decimal: FormText {}
extension UUID: FormText {}

extension URL: FormText {
    /// The absolute URL.
    public var formText: String { absoluteString }
}

extension Date: FormText {
    /// The date in ISO 8601, in UTC, with milliseconds if they are not zero.
    public var formText: String {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        let hasFraction = milliseconds.truncatingRemainder(dividingBy: 1000) != 0
        return Date(timeIntervalSince1970: milliseconds / 1000)
            .formatted(ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
    }
}
