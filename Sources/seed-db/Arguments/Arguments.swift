import ObjectMapping

/// The words after a command's name, taken apart.
struct Arguments {
    let operands: [String]
    private let values: [String: String]

    /// Takes words apart by the options of a command; an unknown or incomplete one is a usage error.
    init(_ words: [String], for command: Command) throws {
        var operands: [String] = []
        var values: [String: String] = [:]
        let options = command.options + [.help]
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let (name, attached) = Self.split(word)
            guard let option = options.first(where: { $0.names.contains(name) }) else {
                throw UsageError.unknown("option", name, among: options.flatMap(\.names), command)
            }
            switch (option.value, attached) {
            case (nil, nil): values[option.names[0]] = ""
            case (nil, _): throw UsageError("option '\(name)' takes no value", command)
            case (let title?, _):
                guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
                    throw UsageError("option '\(name)' needs a value: \(name) \(title)", command)
                }
                values[option.names[0]] = value
            }
        }
        self.operands = operands
        self.values = values
        guard !has("--help") else { return }
        if operands.count < command.operands.count {
            throw UsageError("missing argument \(command.operands[operands.count])", command)
        }
        if operands.count > command.operands.count {
            throw UsageError("unexpected argument '\(operands[command.operands.count])'", command)
        }
    }

    /// Whether an option was given.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// The value of an option; nil if it was not given.
    subscript(name: String) -> String? { values[name] }

    /// `--name=value` and `-nvalue` in two.
    private static func split(_ word: String) -> (name: String, value: String?) {
        if word.hasPrefix("--") {
            guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
            return (String(word[..<equals]), String(word[word.index(after: equals)...]))
        }
        let rest = word.dropFirst(2)
        return (String(word.prefix(2)), rest.isEmpty ? nil : String(rest))
    }
}
