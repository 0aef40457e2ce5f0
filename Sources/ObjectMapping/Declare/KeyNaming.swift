/// How names of properties become keys, for rules without a source.
///
/// ```swift
/// static let mapping = Mapping(Person.init, keys: .snakeCase) {
///     Attribute(\.firstName)        // first_name
///     Attribute(\.home.zipCode)     // home.zip_code
///     Attribute("eMail", \.email)   // as it is written
/// }
/// ```
public struct KeyNaming: Sendable {
    private let makeKey: @Sendable (String) -> String

    /// The name itself.
    public static var asIs: KeyNaming { custom { $0 } }

    /// Words in lower case joined by underscores: `userID` becomes `user_id`, `URLString` becomes `url_string`.
    public static var snakeCase: KeyNaming { custom { words(of: $0, joinedBy: "_") } }

    /// Words in lower case joined by hyphens: `firstName` becomes `first-name`.
    public static var kebabCase: KeyNaming { custom { words(of: $0, joinedBy: "-") } }

    /// A naming of one's own.
    ///
    /// - Parameter key: The key of a property with this name; called for each name on the way of a key path.
    public static func custom(_ key: @escaping @Sendable (String) -> String) -> KeyNaming { KeyNaming(makeKey: key) }

    /// The key of a property with this name.
    public func key(of name: String) -> String { makeKey(name) }

    // A word begins with a capital after a small letter or digit, and with the last of several capitals before a small
    // letter.
    private static func words(of name: String, joinedBy separator: String) -> String {
        let characters = Array(name)
        var key = ""
        for (index, character) in characters.enumerated() {
            if character.isUppercase, index > 0, characters[index - 1] != "_" {
                let endsSmall = !characters[index - 1].isUppercase
                let beginsWord = index + 1 < characters.count && characters[index + 1].isLowercase
                if endsSmall || beginsWord { key += separator }
            }
            key += character.lowercased()
        }
        return key
    }
}

/// The mapping by which the objects of a relationship are read and written, resolved when a plan is made.
@usableFromInline struct LazyMapping<Value>: Sendable {
    private let mapping: @Sendable () -> Mapping<Value>
    /// Identifies the mapping within a plan; nil for the identity of its storage.
    private let identifier: ObjectIdentifier?

    /// By the mapping of the type.
    @usableFromInline init(_: Value.Type) where Value: Mappable {
        mapping = { Value.mapping }
        // A mapping that is computed at each use is the same all the same.
        identifier = ObjectIdentifier(Value.self)
    }

    /// By a custom mapping.
    @usableFromInline init(_ mapping: @escaping @Sendable () -> Mapping<Value>) {
        self.mapping = mapping
        identifier = nil
    }

    /// How an object becomes a value.
    func objects(_ builder: PlanBuilder) -> ObjectBox {
        let storage = mapping().storage
        builder.hold(storage)
        // Each table belongs to one mapping, so a type does not identify mappings that are computed at each use.
        let type = builder.rows == nil ? identifier : nil
        return storage.objects(type ?? ObjectIdentifier(storage), builder)
    }

    /// How a value becomes an object.
    @Sendable func output(_ builder: OutputBuilder) -> OutputBox {
        let mapping = mapping()
        return builder.objects(mapping, identity: identifier ?? ObjectIdentifier(mapping.storage))
    }

    /// Whether all mapped properties of two models are known to have the same values.
    func areSame(_ one: Memory, _ other: Memory, depth: Int) -> Bool {
        mapping().storage.rules?.rules.allSatisfy { rule in
            rule.property.map { rule.plan.areSame(in: $0, of: one, other, depth: depth) } ?? false
        } ?? false
    }

    /// What identifies a model: the properties that the mapping names, or the object itself.
    func identity() -> (Any) -> AnyHashable? {
        let properties = mapping().storage.traits.identity
        if properties.isEmpty {
            let isObject = Value.self is AnyClass
            return { isObject ? ObjectIdentifier($0 as AnyObject) : nil }
        }
        return { model in (model as? Value).flatMap(properties.key).map { AnyHashable($0) } }
    }
}
