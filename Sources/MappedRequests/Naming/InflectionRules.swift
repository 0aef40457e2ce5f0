/// The rules for English plurals in Rails, so that client and server derive the same names.
struct InflectionRules: Sendable {
    /// A regular expression, and the replacement for its match; `$1` and `$2` are its groups.
    struct Rule: Sendable {
        let pattern: String
        let replacement: String

        init(_ pattern: String, _ replacement: String) { (self.pattern, self.replacement) = (pattern, replacement) }
    }

    /// Later rules come first.
    var plurals: [Rule] = [
        Rule("$", "s"), Rule("s$", "s"), Rule("^(ax|test)is$", "$1es"), Rule("(octop|vir)us$", "$1i"),
        Rule("(octop|vir)i$", "$1i"), Rule("(alias|status)$", "$1es"), Rule("(bu)s$", "$1ses"),
        Rule("(buffal|tomat)o$", "$1oes"), Rule("([ti])um$", "$1a"), Rule("([ti])a$", "$1a"), Rule("sis$", "ses"),
        Rule("(?:([^f])fe|([lr])f)$", "$1$2ves"), Rule("(hive)$", "$1s"), Rule("([^aeiouy]|qu)y$", "$1ies"),
        Rule("(x|ch|ss|sh)$", "$1es"), Rule("(matr|vert|ind)(?:ix|ex)$", "$1ices"), Rule("^(m|l)ouse$", "$1ice"),
        Rule("^(m|l)ice$", "$1ice"), Rule("^(ox)$", "$1en"), Rule("^(oxen)$", "$1"), Rule("(quiz)$", "$1zes"),
    ]

    /// Later rules come first.
    var singulars: [Rule] = [
        Rule("s$", ""), Rule("(ss)$", "$1"), Rule("(n)ews$", "$1ews"), Rule("([ti])a$", "$1um"),
        Rule("(analy|ba|diagno|parenthe|progno|synop|the)(?:sis|ses)$", "$1sis"), Rule("^(analy)(?:sis|ses)$", "$1sis"),
        Rule("([^f])ves$", "$1fe"), Rule("(hive)s$", "$1"), Rule("(tive)s$", "$1"), Rule("([lr])ves$", "$1f"),
        Rule("([^aeiouy]|qu)ies$", "$1y"), Rule("(s)eries$", "$1eries"), Rule("(m)ovies$", "$1ovie"),
        Rule("(x|ch|ss|sh)es$", "$1"), Rule("^(m|l)ice$", "$1ouse"), Rule("(bus)(?:es)?$", "$1"), Rule("(o)es$", "$1"),
        Rule("(shoe)s$", "$1"), Rule("(cris|test)(?:is|es)$", "$1is"), Rule("^(a)x[ie]s$", "$1xis"),
        Rule("(octop|vir)(?:us|i)$", "$1us"), Rule("(alias|status)(?:es)?$", "$1"), Rule("^(ox)en", "$1"),
        Rule("(vert|ind)ices$", "$1ex"), Rule("(matr)ices$", "$1ix"), Rule("(quiz)zes$", "$1"),
        Rule("(database)s$", "$1"),
    ]

    /// Singular and plural; later pairs come first.
    var irregulars: [(singular: String, plural: String)] = [
        ("person", "people"), ("man", "men"), ("child", "children"), ("sex", "sexes"), ("move", "moves"),
        ("zombie", "zombies"),
    ]

    var uncountables: Set<String> = [
        "equipment", "information", "rice", "money", "species", "series", "fish", "sheep", "jeans", "police",
    ]

    /// Returns the other form of a lowercase word with underscores, of which the last part is inflected.
    func inflected(_ word: String, toPlural: Bool) -> String {
        let last = word.split(separator: "_").last.map(String.init) ?? word
        if last.isEmpty || uncountables.contains(last) { return word }
        for (singular, plural) in irregulars.reversed() {
            let target = toPlural ? plural : singular
            for form in [singular, plural] where word.hasSuffix(form) { return word.dropLast(form.count) + target }
        }
        for rule in (toPlural ? plurals : singulars).reversed() {
            // An invalid regular expression was rejected when it was added.
            guard let pattern = try? Regex(rule.pattern).ignoresCase(), let match = word.firstMatch(of: pattern) else {
                continue
            }
            var replacement = rule.replacement
            for group in 1..<max(1, match.output.count) {
                replacement = replacement.replacing("$\(group)", with: match.output[group].substring ?? "")
            }
            return word.replacingCharacters(in: match.range, with: replacement)
        }
        return word
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
