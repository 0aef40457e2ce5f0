/// Derives keys from the names of properties, for rules without a source.
///
/// ```swift
/// static let mapping = Mapping(Person.init, keys: .snakeCase) {
///     Attribute(\.firstName)        // first_name
///     Attribute(\.home.zipCode)     // home.zip_code
///     Attribute("eMail", \.email)   // verbatim
/// }
/// ```
public struct KeyNaming: Sendable {
    private let makeKey: @Sendable (String) -> String

    /// The name itself.
    public static var asIs: KeyNaming { custom { $0 } }

    /// Lowercase words joined by underscores: `userID` becomes `user_id`, `URLString` becomes `url_string`.
    public static var snakeCase: KeyNaming { custom { words(of: $0, joinedBy: "_") } }

    /// Lowercase words joined by hyphens: `firstName` becomes `first-name`.
    public static var kebabCase: KeyNaming { custom { words(of: $0, joinedBy: "-") } }

    /// Returns a custom naming.
    ///
    /// - Parameter key: Returns the key of a property name; called for each name in a key path.
    public static func custom(_ key: @escaping @Sendable (String) -> String) -> KeyNaming { KeyNaming(makeKey: key) }

    /// Returns the key of a property name.
    public func key(of name: String) -> String { makeKey(name) }

    // A word starts with a capital after a lowercase letter or digit, and with the last of several capitals before a
    // lowercase letter.
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

/// The mapping of the objects in a relationship, resolved when a plan is compiled.
@usableFromInline struct LazyMapping<Value>: Sendable {
    private let mapping: @Sendable () -> Mapping<Value>
    /// Identifies the mapping within a plan; `nil` for the identity of its storage.
    private let identifier: ObjectIdentifier?

    /// Uses the mapping of the type.
    @usableFromInline init(_: Value.Type) where Value: Mappable {
        mapping = { Value.mapping }
        // A mapping that is computed at each use counts as the same mapping.
        identifier = ObjectIdentifier(Value.self)
    }

    /// Uses a custom mapping.
    @usableFromInline init(_ mapping: @escaping @Sendable () -> Mapping<Value>) {
        self.mapping = mapping
        identifier = nil
    }

    /// Returns the box that reads an object.
    func objects(_ builder: PlanBuilder) -> ObjectBox {
        let storage = mapping().storage
        builder.hold(storage)
        // Each table belongs to one mapping, so a type does not identify mappings that are computed at each use.
        let type = builder.rows == nil ? identifier : nil
        return storage.objects(type ?? ObjectIdentifier(storage), builder)
    }

    /// Returns the box that writes an object.
    @Sendable func output(_ builder: OutputBuilder) -> OutputBox {
        let mapping = mapping()
        return builder.objects(mapping, identity: identifier ?? ObjectIdentifier(mapping.storage))
    }

    /// Whether all mapped properties of two models are known to be equal.
    func areSame(_ one: Memory, _ other: Memory, depth: Int) -> Bool {
        mapping().storage.rules?.rules.allSatisfy { rule in
            rule.property.map { rule.plan.areSame(in: $0, of: one, other, depth: depth) } ?? false
        } ?? false
    }

    /// Returns the identity of a model: the properties in `identified(by:)`, or the object itself.
    func identity() -> (Any) -> AnyHashable? {
        let properties = mapping().storage.traits.identity
        if properties.isEmpty {
            let isObject = Value.self is AnyClass
            return { isObject ? ObjectIdentifier($0 as AnyObject) : nil }
        }
        return { model in (model as? Value).flatMap(properties.key).map { AnyHashable($0) } }
    }
}
