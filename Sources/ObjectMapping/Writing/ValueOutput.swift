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

extension JSONConvertible where Self: RawRepresentable, RawValue: JSONConvertible {
    /// Writes the raw value.
    public static var valueOutput: ValueOutput<Self> {
        let raw = RawValue.valueOutput.box()
        return ValueOutput(ConvertedOutput<RawValue, Self>(raw, \.rawValue))
    }
}
