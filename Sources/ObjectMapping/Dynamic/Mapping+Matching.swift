extension Mapping {
    /// A mapping that chooses by content how a value is read; see `Match`.
    ///
    /// ```swift
    /// static let mapping = Mapping<Shape>(matching: {
    ///     Match("type", is: "circle", Circle.mapping, Shape.circle)
    ///     Match("type", is: "group", Group.mapping, Shape.group)
    ///     Otherwise(.decline)
    /// })
    /// ```
    ///
    /// A value that no case matches is an issue.
    ///
    /// - Parameter matches: The cases in the order in which they are tried.
    public init(@MatchBuilder<Model> matching matches: () -> [Match<Model>]) {
        let matches = matches()
        self.init(
            MappingStorage(
                isFilled: true,
                output: { identity, _, builder in builder.matching(identity) { matches.flatMap { $0.cases() } } }
            ) { identity, _, builder in
                builder.matching(identity) { matches.flatMap { $0.cases() } }
            })
    }

    /// Leaves values out: elements of a collection, and to-one relationships stay as they are.
    ///
    /// `map` has nothing to return then, and throws.
    public static var decline: Mapping {
        Mapping(MappingStorage(isFilled: true) { _, _, builder in builder.declining() })
    }
}
