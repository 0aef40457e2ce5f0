/// One part of a payload: what stands at a key path, and by which mapping it is read.
///
/// ```swift
/// Root("users", User.mapping)
/// Root("", Page.mapping)              // the whole document
/// ```
public struct Root: Sendable {
    let keyPath: JSONKeyPath
    /// Reads the models at the key path.
    let map:
        @Sendable (any JSONInput, MappingSession, MappingOptions, inout MappingReport) throws(MappingError) -> [Any]
    let validate: @Sendable () throws(MappingError) -> Void

    /// What stands at a key path: the objects of a collection, or a lone one.
    ///
    /// - Parameters:
    ///   - keyPath: Plain keys joined by dots; "" for the whole document.
    ///   - shape: How the elements stand there: in an array, or as the members of an object.
    ///   - mapping: How each of them is read.
    public init<Model>(_ keyPath: JSONKeyPath, each shape: ElementShape = .element, _ mapping: Mapping<Model>) {
        self.keyPath = keyPath
        map = { payload, session, options, report throws(MappingError) in
            try mapping.mapAll(payload, at: keyPath, each: shape, in: session, options: options, report: &report)
        }
        validate = { () throws(MappingError) in try mapping.validate() }
    }
}

/// Gathers the roots of a payload; `if`, `switch` and `for` may stand among them.
@resultBuilder
public enum RootBuilder {
    /// One root.
    public static func buildExpression(_ root: Root) -> [Root] { [root] }

    /// Roots one after another.
    public static func buildBlock(_ roots: [Root]...) -> [Root] { roots.flatMap { $0 } }

    /// The roots of an `if` without `else`.
    public static func buildOptional(_ roots: [Root]?) -> [Root] { roots ?? [] }

    /// The roots of a branch.
    public static func buildEither(first roots: [Root]) -> [Root] { roots }

    /// The roots of a branch.
    public static func buildEither(second roots: [Root]) -> [Root] { roots }

    /// The roots of a loop.
    public static func buildArray(_ roots: [[Root]]) -> [Root] { roots.flatMap { $0 } }
}
