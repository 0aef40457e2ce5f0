/// A parsed command line.
struct Arguments {
    /// The selected command.
    private(set) var command: Command
    /// The arguments that are not options.
    private(set) var operands: [String] = []
    private var values: [String: String] = [:]

    /// Parses arguments.
    ///
    /// - Throws: ``UsageError`` if an argument is unknown, missing, duplicate or of the wrong type.
    init(_ words: [String], for command: Command) throws(UsageError) {
        self.command = command
        var rest = words[...]
        var hasOptions = true
        while let word = rest.popFirst() {
            if hasOptions, word == "--" {
                hasOptions = false
            } else if hasOptions, word.hasPrefix("--") {
                try takeLong(word, &rest)
            } else if hasOptions, word.hasPrefix("-"), word != "-" {
                try takeShort(word, &rest)
            } else if !self.command.subcommands.isEmpty {
                try takeSubcommand(word)
            } else {
                try takeOperand(word)
            }
        }
        guard !has("--help"), !has("--version") else { return }
        try checkCompleteness()
    }

    /// Whether an option was given.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// The value of an option, or its default; `nil` without either.
    subscript(name: String) -> String? { values[name] ?? command.option(named: name)?.value?.preset }

    /// The value of an option that is required or has a default.
    func value(_ name: String) -> String { self[name] ?? "" }

    private mutating func takeLong(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = command.option(named: parts[0]) else { throw unknownOption(parts[0]) }
        try take(option, as: parts[0], attached: parts.count > 1 ? parts[1] : nil, &rest)
    }

    /// Flags can be combined, `-qv`; the last option can have a value, `-ofile`, `-o=file`.
    private mutating func takeShort(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        guard command.option(named: "-" + word) == nil else { throw unknownOption(word) }
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            let name = "-\(letter)"
            guard let option = command.option(named: name) else { throw unknownOption(name, in: word) }
            var attached: String?
            if option.value != nil || letters.first == "=", !letters.isEmpty {
                attached = String(letters.first == "=" ? letters.dropFirst() : letters)
                letters = ""
            }
            try take(option, as: name, attached: attached, &rest)
        }
    }

    private mutating func take(
        _ option: Option, as name: String, attached: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        guard let value = option.value else {
            guard attached == nil else { throw UsageError("option '\(name)' takes no value", command) }
            values[option.name] = ""
            return
        }
        var word = attached
        if word == nil, let next = rest.first, !next.hasPrefix("-") || next == "-" { word = rest.popFirst() }
        guard let word, !word.isEmpty else {
            let advice = rest.first.map { $0.hasPrefix("-") && $0 != "--" } == true && attached == nil
            let hint = advice ? "; did you mean '\(name)=\(rest.first ?? "")'?" : ""
            throw UsageError("option '\(name)' needs a value: \(name) \(value.placeholder)\(hint)", command)
        }
        guard values[option.name] == nil else { throw UsageError("option '\(name)' is given twice", command) }
        if let problem = value.problem(with: word) { throw UsageError("option '\(name)' \(problem)", command) }
        values[option.name] = word
    }

    private mutating func takeSubcommand(_ word: String) throws(UsageError) {
        guard let subcommand = command.subcommand(named: word) else {
            let near = suggestion(for: word, among: command.subcommands.map(\.name))
            throw UsageError("unknown subcommand '\(word)'\(near)", command)
        }
        // The tool's own options are used without a subcommand.
        if let option = values.keys.first(where: { subcommand.option(named: $0) == nil }) {
            throw UsageError("unexpected argument '\(word)' after '\(option)'", command)
        }
        command = subcommand
    }

    private mutating func takeOperand(_ word: String) throws(UsageError) {
        let last = command.arguments.last { $0.isRepeated }
        guard let argument = operands.count < command.arguments.count ? command.arguments[operands.count] : last else {
            throw UsageError("unexpected argument '\(word)'", command)
        }
        let value = argument.value
        if let problem = value.problem(with: word) { throw UsageError("\(value.placeholder) \(problem)", command) }
        operands.append(word)
    }

    private func checkCompleteness() throws(UsageError) {
        if let missing = command.arguments.dropFirst(operands.count).first(where: { !$0.isOptional }) {
            throw UsageError("missing argument \(missing.value.placeholder)", command)
        }
        if let missing = command.options.first(where: { $0.isRequired && !has($0.name) }) {
            throw UsageError("missing option \(missing.synopsis)", command)
        }
    }

    private func unknownOption(_ name: String, in word: String? = nil) -> UsageError {
        let names = command.shownOptions.flatMap(\.names)
        // `-quiet` is probably a misspelled `--quiet`.
        let long = suggestion(for: "-" + (word ?? name), among: names)
        let near = long.isEmpty ? suggestion(for: name, among: names) : long
        let place = word.flatMap { $0 == name ? nil : " in '\($0)'" } ?? ""
        return UsageError("unknown option '\(name)'\(place)\(near)", command)
    }
}
