/// The source of a rule, as messages name it, looked at for explanations.
struct RuleSource {
    /// In turn, the key paths that the rule may read.
    private let alternatives: [Substring]

    init(_ source: String) { alternatives = source.split(separator: " or ", omittingEmptySubsequences: false) }

    private static let around = ["@parent", "@root", "@metadata", "@key", "@index", "{"]

    private static func isAround(_ text: Substring) -> Bool {
        around.contains { text.hasPrefix($0) }
    }

    /// Whether the value stands around the object, or was handed in.
    var isAround: Bool { alternatives.contains(where: RuleSource.isAround) }

    /// Whether the rule reads the object as it is.
    var isWhole: Bool {
        alternatives.contains { text in
            if RuleSource.isAround(text) { return false }
            return if case .collection? = JSONKeyPath(String(text)).components.first { true } else { text.isEmpty }
        }
    }

    /// The keys of the only key path; nil for any other source.
    var keys: [String]? {
        guard alternatives.count == 1, !isAround, let text = alternatives.first, !text.isEmpty else { return nil }
        return JSONKeyPath(String(text)).plainKeys
    }

    /// The first keys of several key paths into the object: none of them stands in the plan's node.
    var keysBesideNode: [String] {
        guard alternatives.count > 1 else { return [] }
        return alternatives.filter { !RuleSource.isAround($0) }.compactMap {
            JSONKeyPath(String($0)).components.first?.key
        }
    }

    /// The first keys that the rule reads in objects around its own.
    var keysAround: [String] {
        alternatives.filter(RuleSource.isAround).compactMap { text in
            let words = text.split(separator: ".").drop { $0 == "@parent" || $0 == "@root" || $0.hasPrefix("{") }
            return JSONKeyPath(words.joined(separator: ".")).components.first?.key
        }
    }
}
