/// A positional argument of a command.
struct Argument: Sendable {
    let value: Value
    let isOptional: Bool
    /// Whether it accepts any number of words; possible only for the last argument of a command.
    let isRepeated: Bool
    let help: String

    init(_ value: Value, isOptional: Bool = false, isRepeated: Bool = false, help: String) {
        self.value = value
        self.isOptional = isOptional
        self.isRepeated = isRepeated
        self.help = help
    }
}
