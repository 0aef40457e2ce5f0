extension Mapping {
    /// The names of the properties by the keys of the members that the mapping writes; without deeper key paths.
    package var propertiesByKey: [String: String] {
        var properties: [String: String] = [:]
        for rule in storage.rules?.rules ?? [] where rule.connection == nil {
            guard let keys = rule.source(storage.traits.keys)?.writtenKeys, keys.count == 1 else { continue }
            // Without the type.
            properties[keys[0]] = rule.destination.split(separator: ".").dropFirst().joined(separator: ".")
        }
        return properties
    }
}
