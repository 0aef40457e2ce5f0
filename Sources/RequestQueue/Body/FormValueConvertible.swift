/// What can be a value of a query or a form.
///
/// Numbers are written as Swift describes them, booleans as `true` and `false`, dates as `2026-11-21T07:23:00.000Z` (ISO
/// 8601, UTC), dictionaries sorted by their keys. A type of one's own says in ``formValue`` what it is; for an enumeration
/// with raw values the conformance alone does.
public protocol FormValueConvertible {
    var formValue: FormValue { get }
}

extension FormValueConvertible where Self: RawRepresentable, RawValue: FormValueConvertible {
    public var formValue: FormValue { rawValue.formValue }
}

extension FormValueConvertible where Self: BinaryInteger {
    public var formValue: FormValue { .text(String(self)) }
}

extension FormValueConvertible where Self: BinaryFloatingPoint & LosslessStringConvertible {
    public var formValue: FormValue { .text(String(self)) }
}

extension FormValue: FormValueConvertible {
    public var formValue: FormValue { self }
}

extension String: FormValueConvertible {
    public var formValue: FormValue { .text(self) }
}

extension Substring: FormValueConvertible {
    public var formValue: FormValue { .text(String(self)) }
}

extension Bool: FormValueConvertible {
    public var formValue: FormValue { .text(self ? "true" : "false") }
}

extension Int: FormValueConvertible {}
extension Int8: FormValueConvertible {}
extension Int16: FormValueConvertible {}
extension Int32: FormValueConvertible {}
extension Int64: FormValueConvertible {}
extension UInt: FormValueConvertible {}
extension UInt8: FormValueConvertible {}
extension UInt16: FormValueConvertible {}
extension UInt32: FormValueConvertible {}
extension UInt64: FormValueConvertible {}
extension Float: FormValueConvertible {}
extension Double: FormValueConvertible {}

extension Decimal: FormValueConvertible {
    public var formValue: FormValue { .text(description) }
}

extension Date: FormValueConvertible {
    public var formValue: FormValue { .text(ISO8601Format(.init(includingFractionalSeconds: true))) }
}

extension URL: FormValueConvertible {
    public var formValue: FormValue { .text(absoluteString) }
}

extension UUID: FormValueConvertible {
    public var formValue: FormValue { .text(uuidString) }
}

extension Optional: FormValueConvertible where Wrapped: FormValueConvertible {
    public var formValue: FormValue { self?.formValue ?? .null }
}

extension Array: FormValueConvertible where Element: FormValueConvertible {
    public var formValue: FormValue { .list(map(\.formValue)) }
}

extension Dictionary: FormValueConvertible where Key == String, Value: FormValueConvertible {
    public var formValue: FormValue { FormValue(self) }
}

extension KeyValuePairs: FormValueConvertible where Key == String, Value: FormValueConvertible {
    public var formValue: FormValue { .fields(map { .init(name: $0.key, value: $0.value.formValue) }) }
}
