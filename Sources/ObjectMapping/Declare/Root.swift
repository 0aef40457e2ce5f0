/// One part of a payload: what stands at a key path, and by which mapping it is read.
///
/// ```swift
/// Root("users", User.mapping)
/// Root("", Page.mapping)              // the whole document
/// ```
public struct Root: Sendable {
    let keyPath: JSONKeyPath
    let shape: ElementShape
    /// Starts to read the models at the key path.
    let reading:
        @Sendable (ByteView, Window, SourceDecode, MappingOptions, MappingReport.Policy) throws(MappingError) ->
            RootReading
    let validate: @Sendable () throws(MappingError) -> Void
    let writing: RootWriting

    /// What stands at a key path: the objects of a collection, or a lone one.
    ///
    /// - Parameters:
    ///   - keyPath: Plain keys joined by dots; "" for the whole document.
    ///   - shape: How the elements stand there: in an array, or as the members of an object.
    ///   - mapping: How each of them is read.
    public init<Model>(_ keyPath: JSONKeyPath, each shape: ElementShape = .element, _ mapping: Mapping<Model>) {
        self.keyPath = keyPath
        self.shape = shape
        reading = { bytes, window, decode, options, policy throws(MappingError) in
            let type = ElementType(Model.self)
            return try RootReading(
                mapping.run(mapping.mayRegister() ? decode.source : nil, options, in: decode), bytes, window,
                at: keyPath, each: shape, policy, type
            ) { maker, models in
                while maker.count > 0 { models.append(maker.take(Model.self)) }
            }
        }
        validate = { () throws(MappingError) in try mapping.validate() }
        writing = RootWriting(mapping, each: shape)
    }
}

extension Mapping {
    /// Whether a session has to do with the models: by this mapping, or by one that a closure may choose.
    fileprivate func mayRegister() throws(MappingError) -> Bool {
        let registering = try storage.compiled(registering: true)
        let plain = try storage.compiled(registering: false)
        // One plan serves both if nothing in it registers models.
        return plain.isRegistering || plain.plan !== registering.plan || plain.plan.keepsContext
    }
}

/// Gathers the roots of a payload; `if`, `switch` and `for` may stand among them.
@resultBuilder public enum RootBuilder {
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

/// The property that says how recent a model is.
struct ModificationStamp<Model>: Sendable {
    let keyPath: any AnyKeyPath & Sendable
    let value: KeyType
    /// Whether the first model is to be read over the second: it is newer, or one of them has no stamp.
    let isNewer: @Sendable (_ new: Model, _ old: Model) -> Bool
    /// The same for a stamp whose model is not made yet.
    let isNewerValue: @Sendable (_ new: Memory, _ old: Model) -> Bool

    init<Value: Comparable & SendableMetatype>(_ property: any KeyPath<Model, Value> & Sendable) {
        self.init(property, Self.isNewer)
    }

    init<Value: Comparable & SendableMetatype>(optional property: any KeyPath<Model, Value?> & Sendable) {
        self.init(property) { new, old in
            guard let new, let old else { return true }
            return Self.isNewer(new, old)
        }
    }

    private init<Value: SendableMetatype>(
        _ property: any KeyPath<Model, Value> & Sendable, _ isNewer: @escaping @Sendable (Value, Value) -> Bool
    ) {
        keyPath = property
        value = KeyType(stamp: Value.self)
        self.isNewer = { isNewer($0[keyPath: property], $1[keyPath: property]) }
        isNewerValue = { isNewer($0[as: Value.self], $1[keyPath: property]) }
    }

    /// Texts are versions without an order: any other one is newer.
    private static func isNewer<Value: Comparable>(_ new: Value, _ old: Value) -> Bool {
        Value.self is String.Type ? new != old : new > old
    }
}
