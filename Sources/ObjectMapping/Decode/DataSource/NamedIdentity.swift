extension Mapping {
    /// Returns the mapping with the identity declared by the type: the properties with these names, which rules set.
    ///
    /// Without names, or without a rule for each name, the models have no identity.
    package func identified(byPropertiesNamed names: [String]) -> Mapping {
        let properties = names.compactMap { name in
            storage.rules?.rules.lazy.compactMap(\.property).map { $0.keyPath() }.first { path in
                (type(of: path).rootType as? any PropertyNaming.Type)?.name(of: path) == name
            }
        }.compactMap { KeyProperty<Model>(named: $0) }
        guard !names.isEmpty, properties.count == names.count else { return self }
        return Mapping(storage.with { $0.identity = properties })
    }
}

extension KeyProperty {
    /// A property whose type is known only at run time; `nil` if its values are not hashable.
    fileprivate init?(named path: AnyKeyPath) {
        func property<Value: Hashable & SendableMetatype>(_: Value.Type) -> KeyProperty? {
            (path as? KeyPath<Model, Value>).map { KeyProperty(shared($0)) }
        }
        guard let type = type(of: path).valueType as? any (Hashable & SendableMetatype).Type,
            let property = property(type)
        else { return nil }
        self = property
    }
}
