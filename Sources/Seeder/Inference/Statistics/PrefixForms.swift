/// The prefixes before the first separator of an attribute's strings, if all of them have the same one.
struct PrefixForms {
    /// The separator of all strings; `nil` if it is missing or differs.
    private(set) var separator: Character?
    private(set) var sample = ValueSample()
    private(set) var classes: CharacterClasses = []
    private(set) var minimumLength = Int.max
    private(set) var maximumLength = 0
    private var isPossible = true

    /// Whether every string has a prefix.
    var areThere: Bool { isPossible && separator != nil }

    mutating func observe(_ text: String) {
        guard isPossible else { return }
        guard text.utf8.count <= Self.longestCode, let place = text.firstIndex(where: Self.separators.contains),
            place > text.startIndex, text.index(after: place) < text.endIndex, separator ?? text[place] == text[place]
        else { return giveUp() }
        let prefix = text[..<place]
        let classes = CharacterClasses(of: prefix)
        guard !classes.contains(.others) else { return giveUp() }
        separator = text[place]
        self.classes.formUnion(classes)
        minimumLength = min(minimumLength, prefix.utf8.count)
        maximumLength = max(maximumLength, prefix.utf8.count)
        sample.insert(StableHash.of(String(prefix)))
    }

    mutating func merge(_ other: PrefixForms) {
        guard other.areThere else {
            // A place without strings does not exclude prefixes.
            if !other.isPossible { giveUp() }
            return
        }
        guard isPossible, separator == nil || separator == other.separator else { return giveUp() }
        separator = other.separator
        classes.formUnion(other.classes)
        minimumLength = min(minimumLength, other.minimumLength)
        maximumLength = max(maximumLength, other.maximumLength)
        sample.merge(other.sample)
    }

    /// The regular expression that extracts the prefix.
    var pattern: String {
        let part = classes.pattern ?? "."
        let count = minimumLength == maximumLength ? "{\(minimumLength)}" : "+"
        let escape = separator == "." || separator == "|" || separator == "/" ? "\\" : ""
        return "^(\(part)\(count))\(escape)\(separator.map(String.init) ?? "")"
    }

    private mutating func giveUp() {
        isPossible = false
        separator = nil
        sample = ValueSample()
    }

    /// The maximum length of a code.
    private static let longestCode = 40
    private static let separators: Set<Character> = ["-", ":", "/", ".", "|", "_"]
}
