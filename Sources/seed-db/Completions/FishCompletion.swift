/// The completion script for fish 3.2 or later.
struct FishCompletion {
    private let tool: Command
    private let function: String

    init(_ tool: Command) {
        self.tool = tool
        function = "_" + Command.functionName
    }

    var text: String {
        """
        # Completes \(tool.name) in fish; made by '\(tool.name) --generate-completion-script fish'.

        # Prints how many words that are no options stand before the cursor, and the first of them, the subcommand.
        function \(function)_place
            set -l words (commandline -opc)
            set -l operands
            set -l is_value no
            set -l has_options yes
            for word in $words[2..-1]
                if test $is_value = yes
                    set is_value no
                else if test $has_options = yes; and string match -q -- '-*' $word
                    switch "$operands[1] $word"
                        case '* --'
                            set has_options no
                        case \(valuedOptions)
                            set is_value yes
                    end
                else
                    set -a operands $word
                end
            end
            echo (count $operands) $operands[1]
        end

        complete -c \(tool.name) -f
        \(lines.joined(separator: "\n"))
        """
    }

    private var valuedOptions: String {
        ([tool] + tool.subcommands).flatMap { command in
            command.shownOptions.filter { $0.value != nil }.flatMap(\.names).map { "'\(name(command)) \($0)'" }
        }.joined(separator: " ")
    }

    private var lines: [String] {
        let options = ([tool] + tool.subcommands).flatMap { command in
            // The tool's own options precede the subcommand.
            let place = command.subcommands.isEmpty ? "* \(command.name)" : "0"
            return command.shownOptions.map { line(at: place, switches(of: $0) + values(of: $0.value), $0.help) }
        }
        let subcommands = tool.subcommands.map { line(at: "0", " -a \($0.name)", $0.summary) }
        let arguments = tool.subcommands.flatMap { command in
            command.arguments.enumerated().compactMap { index, argument in
                let values = offers(argument.value)
                let place = argument.isRepeated ? "*" : "\(index + 1)"
                return values.isEmpty ? nil : line(at: "\(place) \(command.name)", values, argument.help)
            }
        }
        return subcommands + arguments + options
    }

    private func line(at place: String, _ what: String, _ help: String) -> String {
        let condition = "string match -q -- \"\(place)\" (\(function)_place)"
        return "complete -c \(tool.name) -n \(condition.shellQuoted)\(what) -d \(help.fishQuoted)"
    }

    private func switches(of option: Option) -> String {
        option.names.map { $0.hasPrefix("--") ? " -l " + $0.dropFirst(2) : " -s " + $0.dropFirst(1) }.joined()
    }

    private func values(of value: Value?) -> String {
        value.map { " -x" + offers($0) } ?? ""
    }

    private func offers(_ value: Value) -> String {
        switch value.kind {
        case .text, .count: ""
        case .file(let extensions):
            " -k -a '(\(extensions.map { "__fish_complete_suffix ." + $0 }.joined(separator: "; ")))'"
        case .folder: " -a '(__fish_complete_directories)'"
        case .choice(let words): " -a '\(words.joined(separator: " "))'"
        }
    }

    private func name(_ command: Command) -> String { command.subcommands.isEmpty ? command.name : "" }
}

extension String {
    /// The text as a quoted word in fish.
    fileprivate var fishQuoted: String {
        "'" + replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
