import Foundation
import TestSupport
import Testing

@testable import seed_db

/// The completion scripts, in their shells.
@Suite struct CompletionTests {
    private static let files = [
        "a b.json", "s[e]*d.json", "seed.json", "out.sqlite", "notes.txt", "dumps/x", "build/x",
    ]

    /// A folder with files, and the script of a shell as `script`.
    private static func folder(_ shell: Shell) throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        for name in files { try folder.write("", to: name) }
        try folder.write(shell.script(for: .tool) + "\n", to: "script")
        return folder
    }

    @Test(arguments: Shell.allCases)
    func `a script matches the fixture`(shell: Shell) throws {
        let result = try runExecutable(
            named: "seed-db", arguments: ["--generate-completion-script", shell.rawValue])
        #expect(result.status == 0)
        try expectSnapshot("seed-db.\(shell)", result.output)
    }

    /// Words with the cursor after the last one, and the offered completions; folders and files as found by bash.
    private static let words: [(words: [String], offers: Set<String>)] = [
        ([""], ["build", "check", "infer", "inspect", "diff", "models", "keypath", "help"]),
        (["bu"], ["build"]),
        (["--v"], ["--version"]),
        (["--generate-completion-script", ""], ["bash", "zsh", "fish"]),
        (["help", "ins"], ["inspect"]),
        (["build", ""], ["a b.json", "s[e]*d.json", "seed.json", "dumps", "build"]),
        (["build", "a"], ["a b.json"]),
        (["build", "seed.json", "--on"], ["--on-error"]),
        (["build", "--on-error", ""], ["fail", "skip"]),
        (["build", "--on-error", "=", "s"], ["skip"]),
        (["build", "--on-error", "="], ["fail", "skip"]),
        (["build", "--on-error", "=", "skip", "se"], ["seed.json"]),
        (["build", "--output", "o"], ["out.sqlite"]),
        (["build", "-o", "out.sqlite", "se"], ["seed.json"]),
        (["build", "-q", "se"], ["seed.json"]),
        (["build", "--base", ""], ["dumps", "build"]),
        (["build", "seed.json", ""], []),
        (["build", "--", "--"], []),
        (["keypath", ""], []),
        (["keypath", "a.b", "se"], ["seed.json"]),
        (["inspect", "--rows", "3", "o"], ["out.sqlite"]),
        (["infer", "seed.json", "a"], ["a b.json"]),
    ]

    @Test(.enabled(if: areInstalled("bash", otherwise: "completions of bash are not tried")), arguments: words)
    func `bash offers matching completions`(words: [String], offers: Set<String>) throws {
        let script = """
            source ./script
            COMP_WORDS=(seed-db "$@") COMP_CWORD=$#
            _seed_db 2>/dev/null
            for reply in ${COMPREPLY[@]+"${COMPREPLY[@]}"}; do printf '%s\\n' "$reply"; done
            """
        let folder = try Self.folder(.bash)
        try folder.write(script, to: "complete")
        let quoted = words.map(\.shellQuoted).joined(separator: " ")
        let result = try runShell("bash -u ./complete \(quoted)", directory: folder.url)
        #expect(result.errors == "")
        #expect(Set(result.output.split(separator: "\n").map(String.init)) == offers)
    }

    @Test(
        .enabled(if: areInstalled("fish", otherwise: "completions of fish are not tried")),
        arguments: [
            ("seed-db bu", ["build"]), ("seed-db infer a.json se", ["seed.json"]),
            ("seed-db ", ["build", "check", "diff", "help", "infer", "inspect", "keypath", "models"]),
            ("seed-db build --on-error ", ["fail", "skip"]), ("seed-db build --on-error=s", ["--on-error=skip"]),
            ("seed-db build seed.json --o", ["--on-error", "--output"]), ("seed-db build se", ["seed.json"]),
            ("seed-db build -o out.sqlite se", ["seed.json"]), ("seed-db build --base ", ["build/", "dumps/"]),
            ("seed-db keypath ", []), ("seed-db keypath a.b se", ["seed.json"]), ("seed-db inspect o", ["out.sqlite"]),
            ("seed-db --generate-completion-script ", ["bash", "fish", "zsh"]),
        ])
    func `fish offers matching completions`(line: String, offers: [String]) throws {
        let folder = try Self.folder(.fish)
        let result = try runShell(
            "fish --no-config -c 'source script; complete -C \"$LINE\"'",
            environment: ["HOME": folder.path, "LINE": line], directory: folder.url)
        #expect(result.errors == "")
        let words = result.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        #expect(words.sorted() == offers)
    }

    /// A shell on a terminal receives a line, a tab and a return, and prints the completed words.
    private static let zshSession = """
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell 'source ./setup && print ready | tr a-z A-Z'
        zpty -r -m shell text '*READY*'
        zpty -w -n shell "$LINE"$'\\t\\n'
        zpty -r -m shell text '*<*>*'
        print -r -- "${${text##*<}%%>*}"
        """

    @Test(
        .enabled(if: areInstalled("zsh", "timeout", otherwise: "completions of zsh are not tried")),
        arguments: [
            ("bu", "build"), ("--gen", "--generate-completion-script"),
            ("--generate-completion-script z", "--generate-completion-script|zsh"),
            ("help ins", "help|inspect"), ("infer -q a.json se", "infer|-q|a.json|seed.json"),
            ("build se", "build|seed.json"), ("build a", "build|a b.json"),
            ("build --on-er", "build|--on-error"), ("build --on-error sk", "build|--on-error|skip"),
            ("build --on-error=sk", "build|--on-error=skip"),
            ("build seed.json -o ou", "build|seed.json|-o|out.sqlite"),
            ("build -qo ou", "build|-qo|out.sqlite"), ("build --base dum", "build|--base|dumps"),
            ("build -q se", "build|-q|seed.json"), ("keypath a.b se", "keypath|a.b|seed.json"),
        ])
    func `zsh completes unique words`(line: String, words: String) throws {
        let folder = try Self.folder(.zsh)
        try folder.write(
            """
            autoload -Uz compinit && compinit -u -D
            source ./script
            seed-db() { print -r -- "<${(j:|:)@}>" }

            """, to: "setup")
        try folder.write(Self.zshSession, to: "session")
        let result = try runShell(
            "timeout 60 zsh -f ./session",
            environment: ["LINE": "seed-db " + line, "TERM": "xterm", "HOME": folder.path],
            directory: folder.url)
        #expect(result.errors == "")
        #expect(result.output == words + "\n")
    }
}
