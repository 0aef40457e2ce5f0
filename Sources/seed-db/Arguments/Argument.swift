/// A word of a command that is no option.
struct Argument: Sendable {
    let value: Value
    let isOptional: Bool
    let help: String

    init(_ value: Value, isOptional: Bool = false, help: String) {
        self.value = value
        self.isOptional = isOptional
        self.help = help
    }
}
