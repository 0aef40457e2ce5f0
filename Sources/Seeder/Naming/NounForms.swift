/// The singular and plural of English nouns in keys and names of collections.
enum NounForms {
    /// Returns the singular, such as `country` for `countries`; other words are unchanged.
    static func singular(_ noun: String) -> String {
        if let known = singulars[noun] { return known }
        if unchanging.contains(noun) { return noun }
        if noun.count > 4, noun.hasSuffix("ies") { return noun.dropLast(3) + "y" }
        if noun.count > 4, ["sses", "shes", "ches", "xes", "zzes", "uses"].contains(where: noun.hasSuffix) {
            // `houses` and `causes` lose one letter, `statuses` and `buses` two.
            return String(noun.dropLast(noun.hasSuffix("ouses") || noun.hasSuffix("auses") ? 1 : 2))
        }
        guard noun.count > 2, noun.hasSuffix("s"), !["ss", "us", "is"].contains(where: noun.hasSuffix) else {
            return noun
        }
        return String(noun.dropLast())
    }

    /// Returns the plural, such as `countries` for `country`; plurals are unchanged.
    static func plural(_ noun: String) -> String {
        if let known = plurals[noun] { return known }
        if unchanging.contains(noun) || singular(noun) != noun { return noun }
        if noun.hasSuffix("y"), let before = noun.dropLast().last, !"aeiou".contains(before) {
            return noun.dropLast() + "ies"
        }
        return noun + (["s", "x", "z", "ch", "sh"].contains(where: noun.hasSuffix) ? "es" : "s")
    }

    private static let plurals = [
        "analysis": "analyses", "basis": "bases", "child": "children", "criterion": "criteria", "crisis": "crises",
        "foot": "feet", "half": "halves", "index": "indices", "knife": "knives", "leaf": "leaves", "life": "lives",
        "man": "men", "matrix": "matrices", "person": "people", "shelf": "shelves", "tooth": "teeth",
        "vertex": "vertices", "wife": "wives", "woman": "women", "movie": "movies", "cookie": "cookies", "tie": "ties",
        "pie": "pies", "hero": "heroes", "echo": "echoes", "potato": "potatoes", "cache": "caches", "axe": "axes",
    ]

    private static let singulars = Dictionary(uniqueKeysWithValues: plurals.map { ($0.value, $0.key) })

    private static let unchanging: Set = [
        "data", "information", "media", "metadata", "news", "series", "settings", "species", "statistics",
    ]
}
