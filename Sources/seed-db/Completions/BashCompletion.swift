/// The completion script for bash 3.2 or later.
struct BashCompletion {
    private let tool: Command

    init(_ tool: Command) { self.tool = tool }

    var text: String {
        let function = Command.functionName
        return """
            # Completes \(tool.name) in bash; made by '\(tool.name) --generate-completion-script bash'.

            # Offers what compgen finds; a line each, whatever blanks or stars are in it.
            \(function)_offer() {
                local line
                while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@" -- "$cur")
            }

            # Offers words.
            \(function)_words() {
                \(function)_offer -W "$*"
            }

            # Offers folders.
            \(function)_folders() {
                compopt -o filenames 2>/dev/null
                \(function)_offer -d
            }

            # Offers folders, and files that end in one of the extensions.
            \(function)_files() {
                local extension
                \(function)_folders
                for extension in "$@"; do \(function)_offer -f -X "!*.$extension"; done
            }

            \(function)() {
                local cur=${COMP_WORDS[COMP_CWORD]} command='' option='' place=0 dashes=yes i word
                COMPREPLY=()
                # Bash makes a word of the = in --name=value.
                [[ $cur == = ]] && cur=''
                for ((i = 1; i < COMP_CWORD; i++)); do
                    word=${COMP_WORDS[i]}
                    if [[ $word == = && -n $option ]]; then
                        continue
                    elif [[ -n $option ]]; then
                        option=''
                    elif [[ $word == -- ]]; then
                        dashes=''
                    elif [[ $dashes && $word == -?* ]]; then
                        case "$command $word" in
                        \(valuedOptions.joined(separator: " | "))) option=$word ;;
                        esac
                    elif [[ -z $command ]]; then
                        command=$word
                    else
                        place=$((place + 1))
                    fi
                done

                if [[ -n $option ]]; then
                    case "$command $option" in
            \(cases(optionValues).indented(by: 8))
                    esac
                elif [[ $dashes && $cur == -* ]]; then
                    case "$command" in
            \(cases(optionNames).indented(by: 8))
                    esac
                else
                    case "$command $place" in
            \(cases(arguments).indented(by: 8))
                    esac
                fi
            }

            complete -F \(function) \(tool.name)
            """
    }

    /// The tool, with an empty name until a subcommand is found, and its subcommands.
    private var commands: [(name: String, command: Command)] {
        [("", tool)] + tool.subcommands.map { ($0.name, $0) }
    }

    /// `'build --output'` for each name of an option with a value.
    private var valuedOptions: [String] { optionValues.flatMap(\.patterns) }

    private var optionValues: [(patterns: [String], action: String)] {
        commands.flatMap { name, command in
            command.shownOptions.compactMap { option in
                guard let value = option.value else { return nil }
                return (option.names.map { "'\(name) \($0)'" }, action(value))
            }
        }
    }

    private var optionNames: [(patterns: [String], action: String)] {
        commands.map { name, command in
            (
                ["'\(name)'"],
                "\(Command.functionName)_words " + command.shownOptions.flatMap(\.names).joined(separator: " ")
            )
        }
    }

    private var arguments: [(patterns: [String], action: String)] {
        let first = (
            ["' 0'"], "\(Command.functionName)_words " + tool.subcommands.map(\.name).joined(separator: " ")
        )
        return [first]
            + tool.subcommands.flatMap { command in
                command.arguments.enumerated().map { place, argument in
                    (
                        [argument.isRepeated ? "'\(command.name) '*" : "'\(command.name) \(place)'"],
                        action(argument.value)
                    )
                }
            }
    }

    private func cases(_ list: [(patterns: [String], action: String)]) -> String {
        list.filter { !$0.action.isEmpty }
            .map { "\($0.patterns.joined(separator: " | "))) \($0.action) ;;" }.joined(separator: "\n")
    }

    private func action(_ value: Value) -> String {
        switch value.kind {
        case .text, .count: ""
        case .file(let extensions): "\(Command.functionName)_files " + extensions.joined(separator: " ")
        case .folder: "\(Command.functionName)_folders"
        case .choice(let words): "\(Command.functionName)_words " + words.joined(separator: " ")
        }
    }
}
