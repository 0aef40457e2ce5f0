/// Gathers the cases of a mapping that chooses by content; `if`, `switch` and `for` may stand among them.
@resultBuilder
public enum MatchBuilder<Model> {
    /// One case.
    public static func buildExpression(_ match: some MatchRule<Model>) -> [Match<Model>] { [match.match] }

    /// Cases one after another.
    public static func buildBlock(_ matches: [Match<Model>]...) -> [Match<Model>] { matches.flatMap { $0 } }

    /// The cases of an `if` without `else`.
    public static func buildOptional(_ matches: [Match<Model>]?) -> [Match<Model>] { matches ?? [] }

    /// The cases of a branch.
    public static func buildEither(first matches: [Match<Model>]) -> [Match<Model>] { matches }

    /// The cases of a branch.
    public static func buildEither(second matches: [Match<Model>]) -> [Match<Model>] { matches }

    /// The cases of a loop.
    public static func buildArray(_ matches: [[Match<Model>]]) -> [Match<Model>] { matches.flatMap { $0 } }
}
