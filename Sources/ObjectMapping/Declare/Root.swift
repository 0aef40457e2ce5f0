/// One part of a payload: a key path, and the mapping of its value.
///
/// ```swift
/// Root("users", User.mapping)
/// Root("", Page.mapping)              // the whole document
/// ```
public struct Root: Sendable {
    let keyPath: JSONKeyPath
    let shape: ElementShape
    /// Starts reading the models at the key path.
    let reading:
        @Sendable (ByteView, Window, SourceDecode, MappingOptions, MappingReport.Policy) throws(MappingError) ->
            RootReading
    let validate: @Sendable () throws(MappingError) -> Void
    let writing: RootWriting

    /// Creates a root for the objects of a collection, or for a single object.
    ///
    /// - Parameters:
    ///   - keyPath: Plain keys joined by dots; "" for the whole document.
    ///   - shape: How the elements are arranged: in an array, or as the members of an object. Defaults to `.element`,
    ///     an array.
    ///   - mapping: The mapping of each element.
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
    /// Whether a session handles the models: of this mapping, or of one that a closure may return.
    fileprivate func mayRegister() throws(MappingError) -> Bool {
        let registering = try storage.compiled(registering: true)
        let plain = try storage.compiled(registering: false)
        // A single plan is sufficient if no mapping in it registers models.
        return plain.isRegistering || plain.plan !== registering.plan || plain.plan.keepsContext
    }
}

/// Collects the roots of a payload, with support for `if`, `switch` and `for`.
@resultBuilder public enum RootBuilder {
    /// Collects one root.
    public static func buildExpression(_ root: Root) -> [Root] { [root] }

    /// Collects consecutive roots.
    public static func buildBlock(_ roots: [Root]...) -> [Root] { roots.flatMap { $0 } }

    /// Collects the roots of an `if` without `else`.
    public static func buildOptional(_ roots: [Root]?) -> [Root] { roots ?? [] }

    /// Collects the roots of a branch.
    public static func buildEither(first roots: [Root]) -> [Root] { roots }

    /// Collects the roots of a branch.
    public static func buildEither(second roots: [Root]) -> [Root] { roots }

    /// Collects the roots of a loop.
    public static func buildArray(_ roots: [[Root]]) -> [Root] { roots.flatMap { $0 } }
}

/// The property with a model's modification stamp.
struct ModificationStamp<Model>: Sendable {
    let keyPath: any AnyKeyPath & Sendable
    let value: KeyType
    /// Whether the first model is read into the second: it is newer, or one of them has no stamp.
    let isNewer: @Sendable (_ new: Model, _ old: Model) -> Bool
    /// Compares a stamp whose model was not created yet.
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

    /// Strings are versions without an order: a different one counts as newer.
    private static func isNewer<Value: Comparable>(_ new: Value, _ old: Value) -> Bool {
        Value.self is String.Type ? new != old : new > old
    }
}
