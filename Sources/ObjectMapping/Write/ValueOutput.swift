/// How the values of a type are written: by a plain operation or by a box.
///
/// For the library's own use: only it can make one, and only for the type that is written.
public struct ValueOutput<Value> {
    let box: () -> OutputBox

    init(_ box: @escaping @autoclosure () -> OutputBox) { self.box = box }
}

extension JSONConvertible {
    /// Writes what `json` says.
    public static var valueOutput: ValueOutput<Self> { ValueOutput(TreeOutput<Self> { $0.json }) }
}

// An enum with raw values goes by these, `Codable` or not.
extension JSONConvertible where Self: RawRepresentable & Codable, RawValue: JSONConvertible {
    /// Writes what `json` says.
    public static var valueOutput: ValueOutput<Self> { ValueOutput(TreeOutput<Self> { $0.json }) }
}

extension JSONConvertible where Self: Codable {
    /// Writes what `json` says; what cannot be encoded is an issue.
    public static var valueOutput: ValueOutput<Self> {
        let isKnown = AttributeType.Scalar(Self.self) != nil
        return ValueOutput(TreeOutput<Self> { isKnown ? $0.json : try $0.soundJSON() })
    }
}

extension FixedWidthInteger where Self: JSONConvertible & Codable {
    /// Writes integers without a detour.
    public static var valueOutput: ValueOutput<Self> {
        // On 64-bit machines these two are the same in memory.
        let isInt = Self.isSigned && bitWidth == Int.bitWidth
        return ValueOutput(
            PlainOutput<Self>(isInt ? .int : .value, optional: isInt ? .optionalInt : .value) { $1.out.integer($0) })
    }
}

extension Double {
    /// Writes numbers without a detour; what is not finite is an issue.
    public static var valueOutput: ValueOutput<Self> {
        ValueOutput(PlainOutput<Self>(.double, optional: .optionalDouble) { $1.double($0) })
    }
}

extension Float {
    /// Writes numbers without a detour; what is not finite is an issue.
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
    /// Writes truth values without a detour.
    public static var valueOutput: ValueOutput<Self> {
        ValueOutput(PlainOutput<Self>(.bool, optional: .optionalBool) { $1.out.bool($0) })
    }
}

extension String {
    /// Writes texts without a detour.
    public static var valueOutput: ValueOutput<Self> {
        ValueOutput(PlainOutput<Self>(.string, optional: .optionalString) { $1.out.string($0) })
    }
}

extension Date {
    /// Writes dates without a detour.
    public static var valueOutput: ValueOutput<Self> {
        ValueOutput(PlainOutput<Self>(.date, optional: .optionalDate) { $1.date($0) })
    }
}
