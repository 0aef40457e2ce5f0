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
        ValueOutput(
            TreeOutput<Self> { value in
                var json = JSON.null
                if let failure = CodingFailure.noted(during: { json = value.json }) { throw failure }
                return json
            })
    }
}
