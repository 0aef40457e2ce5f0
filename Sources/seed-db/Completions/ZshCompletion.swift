/// The completion script for zsh: a file `_seed-db` in a folder of `fpath`, or text to be sourced after `compinit`.
struct ZshCompletion {
    private let tool: Command

    init(_ tool: Command) { self.tool = tool }

    var text: String {
        let function = "_" + tool.name
        let subcommands = tool.subcommands.map { "\($0.name):\(escaped($0.summary))".shellQuoted }
        return """
            #compdef \(tool.name)
            # Completes \(tool.name) in zsh; made by '\(tool.name) --generate-completion-script zsh'.

            \(function)() {
                local curcontext=$curcontext state state_descr line
                local -A opt_args
                local -a subcommands=(
            \(subcommands.joined(separator: "\n").indented(by: 8))
                )
                _arguments -s -S -C \\
            \(specifications(of: tool, more: ["'(-): :->subcommand'", "'(-)*:: :->rest'"]).indented(by: 8))
                case $state in
                subcommand)
                    _describe -t subcommands subcommand subcommands
                    ;;
                rest)
                    case $words[1] in
            \(tool.subcommands.map(branch).joined(separator: "\n").indented(by: 8))
                    esac
                    ;;
                esac
            }

            if [[ $funcstack[1] == \(function) ]]; then
                \(function) "$@"
            else
                compdef \(function) \(tool.name)
            fi
            """
    }

    private func branch(_ command: Command) -> String {
        """
        \(command.name))
            _arguments -s -S \\
        \(specifications(of: command).indented(by: 8))
            ;;
        """
    }

    /// Returns the specifications for `_arguments`, one per line.
    private func specifications(of command: Command, more: [String] = []) -> String {
        let arguments = command.arguments.enumerated().map { index, argument in
            "\(argument.isRepeated ? "*" : String(index + 1)):\(argument.isOptional ? ":" : "")\(escaped(argument.value.name)):\(action(argument.value))"
                .shellQuoted
        }
        return (command.shownOptions.map(specification) + arguments + more).joined(separator: " \\\n")
    }

    private func specification(of option: Option) -> String {
        let help = "[\(escaped(option.help))]" + (option.value.map { ":\(escaped($0.name)):\(action($0))" } ?? "")
        guard option.names.count > 1 else { return (option.name + (option.value == nil ? "" : "=") + help).shellQuoted }
        // Each name excludes the other; a long one also accepts its value after =, a short one joined.
        let names = option.names.map { name in
            name + (option.value == nil ? "" : name.hasPrefix("--") ? "=" : "+")
        }
        return "'(\(option.names.joined(separator: " ")))'{\(names.joined(separator: ","))}\(help.shellQuoted)"
    }

    private func action(_ value: Value) -> String {
        switch value.kind {
        case .text, .count: " "
        case .file(let extensions):
            extensions.count == 1
                ? "_files -g \"*.\(extensions[0])\"" : "_files -g \"*.(\(extensions.joined(separator: "|")))\""
        case .folder: "_files -/"
        case .choice(let words): "(\(words.joined(separator: " ")))"
        }
    }

    /// Escapes the characters with a meaning in specifications.
    private func escaped(_ text: String) -> String {
        ["\\", "[", "]", ":"].reduce(text) { $0.replacing($1, with: "\\" + $1) }
    }
}
