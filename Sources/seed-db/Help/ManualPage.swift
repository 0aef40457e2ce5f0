/// The manual page of the tool, in the mdoc language.
struct ManualPage {
    private let tool: Command

    init(_ tool: Command) { self.tool = tool }

    var text: String {
        let head = [
            #".\" Made by '\#(tool.name) --generate-man-page'."#,
            ".Dd \(versionDay)", ".Dt \(tool.name.uppercased()) 1", ".Os",
            ".Sh NAME", ".Nm \(tool.name)", ".Nd \(tool.summary.asPhrase)", ".Sh SYNOPSIS",
        ]
        let body =
            tool.subcommands.flatMap(synopsis)
            + [".Sh DESCRIPTION", ".Nm", "is used to \(tool.summary.asPhrase)."]
            + tool.notes.flatMap(paragraph)
            + [".Pp", "Every subcommand has the last two of these options:"] + list(options: tool.shownOptions)
            + [".Sh SUBCOMMANDS"] + tool.subcommands.flatMap(subsection)
        return (head + body + tool.sections.flatMap(section)).joined(separator: "\n")
    }

    private func synopsis(of command: Command) -> [String] {
        let arguments = command.arguments.map { argument in
            (argument.isOptional ? ".Op Ar " : ".Ar ") + argument.value.name + (argument.isRepeated ? " ..." : "")
        }
        let options = command.shownOwnOptions.map { ($0.isRequired ? "." : ".Op ") + $0.macro(names: [$0.name]) }
        return [".Nm", ".Cm \(command.name)"] + arguments + options
    }

    private func subsection(of command: Command) -> [String] {
        let arguments = command.arguments.map { argument in
            ("Ar \(argument.value.name)", argument.help + argument.value.facts)
        }
        return [".Ss \(command.name)"] + sentences(of: command.summary) + command.notes.flatMap(paragraph)
            + list(arguments) + list(options: command.shownOwnOptions)
    }

    private func section(_ section: Section) -> [String] {
        let macro = ["ENVIRONMENT": "Ev ", "FILES": "Pa ", "EXAMPLES": "Ic "][section.title] ?? ""
        let rows = section.rows.map { (macro + "\"\($0.label.escaped.guarded)\"", $0.text) }
        return [".Sh \(section.title)"] + list(rows)
    }

    private func list(options: [Option]) -> [String] {
        list(options.map { ($0.macro(names: Array($0.names.reversed())), $0.help + ($0.value?.facts ?? "")) })
    }

    /// Returns a list of terms and their descriptions.
    private func list(_ rows: [(term: String, text: String)]) -> [String] {
        guard !rows.isEmpty else { return [] }
        return [".Bl -tag -width Ds"] + rows.flatMap { [".It \($0.term)"] + sentences(of: $0.text) } + [".El"]
    }

    private func paragraph(_ text: String) -> [String] { [".Pp"] + sentences(of: text) }

    /// Returns one line per sentence, as mdoc requires.
    private func sentences(of text: String) -> [String] {
        text.escaped.replacing(". ", with: ".\n").split(separator: "\n").flatMap { lines(of: String($0), width: 78) }
            .map(\.guarded)
    }
}

extension Command {
    /// The options that are specific to the command.
    fileprivate var shownOwnOptions: [Option] {
        shownOptions.filter { ![Option.version.name, Option.help.name].contains($0.name) }
    }
}

extension Option {
    /// Returns the option as a macro, `Fl o , Fl -output Ar file`.
    fileprivate func macro(names: [String]) -> String {
        names.map { "Fl " + $0.dropFirst().replacing("-", with: #"\-"#) }.joined(separator: " , ")
            + (value.map { " Ar " + $0.name } ?? "")
    }
}

extension String {
    /// The sentence as a phrase: without its capital letter and period.
    fileprivate var asPhrase: String {
        prefix(1).lowercased() + (hasSuffix(".") ? dropFirst().dropLast() : dropFirst())
    }

    /// The text with escaped special characters of mdoc.
    fileprivate var escaped: String {
        replacing("\\", with: #"\e"#).replacing("'", with: #"\(aq"#).replacing("\"", with: #"\(dq"#)
            .replacing("--", with: #"\-\-"#).replacing(" -", with: #" \-"#)
    }

    /// The text with an escaped leading dot, which would start a macro.
    fileprivate var guarded: String { hasPrefix(".") ? #"\&"# + self : self }
}
