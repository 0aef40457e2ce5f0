extension Mapping {
    /// Returns a payload in which each value is also at the key path where the mapping writes it.
    ///
    /// The two differ for rules with several sources.
    package func writtenForm(of payload: JSON) -> JSON {
        var form = payload
        for rule in storage.rules?.rules ?? [] {
            guard let sources = rule.source(storage.traits.keys)?.alternatives, sources.count > 1,
                let written = sources.first(where: \.isWritten)?.keyPath, let keys = written.plainKeys,
                !form[at: written].exists,
                let value = sources.lazy.compactMap(\.keyPath).map({ payload[at: $0] }).first(where: \.exists)
            else { continue }
            form.set(value, at: keys[...])
        }
        return form
    }
}

extension JSON {
    fileprivate mutating func set(_ value: JSON, at keys: ArraySlice<String>) {
        guard let key = keys.first else { return self = value }
        var member = self[key]
        member.set(value, at: keys.dropFirst())
        self[key] = member
    }
}
