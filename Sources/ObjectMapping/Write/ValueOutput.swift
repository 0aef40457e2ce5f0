/// Writes the values of a type: with a plain operation or a box.
///
/// For internal use: only the library creates it, and only for the type itself.
public struct ValueOutput<Value> {
    let box: () -> OutputBox

    init(_ box: @escaping @autoclosure () -> OutputBox) { self.box = box }
}

extension JSONConvertible {
    /// Writes the value of `json`.
    public static var valueOutput: ValueOutput<Self> { ValueOutput(TreeOutput<Self> { $0.json }) }
}

// The raw values of an enum have precedence over its `Codable` conformance.
extension JSONConvertible where Self: RawRepresentable & Codable, RawValue: JSONConvertible {
    /// Writes the value of `json`.
    public static var valueOutput: ValueOutput<Self> { ValueOutput(TreeOutput<Self> { $0.json }) }
}

extension JSONConvertible where Self: Codable {
    /// Writes the value of `json`; an encoding error is an issue.
    public static var valueOutput: ValueOutput<Self> {
        let isKnown = AttributeType.Scalar(Self.self) != nil
        return ValueOutput(TreeOutput<Self> { isKnown ? $0.json : try $0.encodedJSON() })
    }
}

extension FixedWidthInteger where Self: JSONConvertible & Codable {
    /// Writes integers directly.
    public static var valueOutput: ValueOutput<Self> {
        // On 64-bit platforms, both have the same representation.
        let isInt = Self.isSigned && bitWidth == Int.bitWidth
        return ValueOutput(
            PlainOutput<Self>(isInt ? .int : .value, optional: isInt ? .optionalInt : .value) { $1.out.integer($0) })
    }
}

extension Double {
    /// Writes numbers directly; infinities and NaN are issues.
    public static var valueOutput: ValueOutput<Self> {
        ValueOutput(PlainOutput<Self>(.double, optional: .optionalDouble) { $1.double($0) })
    }
}

extension Float {
    /// Writes numbers directly; infinities and NaN are issues.
    public static var valueOutput: ValueOutput<Self> {
        ValueOutput(
            PlainOutput<Self> { value, writer in
                if value.isFinite { writer.out.float(value) } else { writer.noteNotFinite(Double(value)) }
            })
    }
}

extension Decimal {
    /// Writes all digits of a number; NaN is an issue.
    public static var valueOutput: ValueOutput<Self> {
        ValueOutput(
            PlainOutput<Self> { value, writer in
                if value.isNaN { writer.noteNotFinite(.nan) } else { writer.out.raw("\(value)") }
            })
    }
}

extension Bool {
    /// Writes Booleans directly.
    public static var valueOutput: ValueOutput<Self> {
        ValueOutput(PlainOutput<Self>(.bool, optional: .optionalBool) { $1.out.bool($0) })
    }
}

extension String {
    /// Writes strings directly.
    public static var valueOutput: ValueOutput<Self> {
        ValueOutput(PlainOutput<Self>(.string, optional: .optionalString) { $1.out.string($0) })
    }
}

extension Date {
    /// Writes dates directly.
    public static var valueOutput: ValueOutput<Self> {
        ValueOutput(PlainOutput<Self>(.date, optional: .optionalDate) { $1.date($0) })
    }
}
