/// A type that says how JSON becomes it.
///
/// Relationships find the mapping of their destination by it. A type may have further mappings beside this one.
public protocol Mappable: ParameterValue {
    /// The type's mapping; best a `static let`, so that it is compiled once.
    static var mapping: Mapping<Self> { get }
}
