/// The value of an option or argument: its name and type.
struct Value: Sendable {
    /// The type of the value, which determines validation and completion.
    enum Kind: Sendable {
        case text
        /// A non-negative integer.
        case count
        /// A file; shells complete files with these extensions, such as `json`.
        case file([String])
        case folder
        /// One of a few words.
        case choice([String])
    }

    /// The name in help pages, such as `file`.
    let name: String
    let kind: Kind
    /// The default value.
    let preset: String?

    init(_ name: String, _ kind: Kind, preset: String? = nil) {
        self.name = name
        self.kind = kind
        self.preset = preset
    }

    /// The value on help pages: `<file>`.
    var placeholder: String { "<\(name)>" }

    /// The possible words; empty if there are too many to list.
    var choices: [String] { if case .choice(let words) = kind { words } else { [] } }

    /// Facts after its description in help pages: ` (values: fail, skip; default: fail)`.
    var facts: String {
        let values = choices.isEmpty ? nil : "values: " + choices.joined(separator: ", ")
        let facts = [values, preset.map { "default: \($0)" }].compactMap(\.self)
        return facts.isEmpty ? "" : " (\(facts.joined(separator: "; ")))"
    }

    /// Returns the reason why a word is invalid, as the end of a sentence; `nil` if it is valid.
    func problem(with word: String) -> String? {
        switch kind {
        case .count: return Int(word).map { $0 >= 0 } == true ? nil : "needs a number, 0 or greater, not '\(word)'"
        case .choice(let words):
            guard !words.contains(word) else { return nil }
            let list = words.dropLast().map { "'\($0)'" }.joined(separator: ", ")
            return "is \(list) or '\(words.last ?? "")', not '\(word)'" + suggestion(for: word, among: words)
        case .file, .folder: return word.isEmpty ? "must not be empty" : nil
        case .text: return nil
        }
    }
}
