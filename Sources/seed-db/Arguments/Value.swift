/// The value of an option or argument: its name and type.
struct Value: Sendable {
    /// Decides how the word is checked, and what a shell offers to complete it.
    enum Kind: Sendable {
        case text
        /// A non-negative integer.
        case count
        /// A file; shells offer those whose names end like this, as `json`.
        case file([String])
        case folder
        /// One of a few words.
        case choice([String])
    }

    /// What help pages call it, as `file`.
    let name: String
    let kind: Kind
    /// What holds if it is not given.
    let preset: String?

    init(_ name: String, _ kind: Kind, preset: String? = nil) {
        self.name = name
        self.kind = kind
        self.preset = preset
    }

    /// The value on help pages: `<file>`.
    var placeholder: String { "<\(name)>" }

    /// The words that it may be; empty where there are too many to name.
    var choices: [String] { if case .choice(let words) = kind { words } else { [] } }

    /// What help pages say behind its description: ` (values: fail, skip; default: fail)`.
    var facts: String {
        let values = choices.isEmpty ? nil : "values: " + choices.joined(separator: ", ")
        let facts = [values, preset.map { "default: \($0)" }].compactMap(\.self)
        return facts.isEmpty ? "" : " (\(facts.joined(separator: "; ")))"
    }

    /// Why a word is none of this kind, as the end of a sentence; nil if it is.
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
