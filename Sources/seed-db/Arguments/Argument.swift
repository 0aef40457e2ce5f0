/// A positional argument of a command.
struct Argument: Sendable {
    let value: Value
    let isOptional: Bool
    /// Whether any number of such words may follow; only the last argument of a command may be so.
    let isRepeated: Bool
    let help: String

    init(_ value: Value, isOptional: Bool = false, isRepeated: Bool = false, help: String) {
        self.value = value
        self.isOptional = isOptional
        self.isRepeated = isRepeated
        self.help = help
    }
}
