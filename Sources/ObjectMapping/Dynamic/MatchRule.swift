/// One line of a mapping that chooses by content: a `Match` or an `Otherwise`.
public protocol MatchRule<Model>: Sendable {
    /// The type that is made.
    associatedtype Model

    /// What the line says, for the library's own use.
    var match: Match<Model> { get }
}
