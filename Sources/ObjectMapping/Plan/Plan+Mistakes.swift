extension Plan {
    /// The rules that set a property which another rule of the same mapping sets already; of both the one whose value
    /// comes later in a payload would win.
    ///
    /// Looked for by `validate()` only, since asking key paths for their names takes time.
    var repeatedDestinations: [MappingIssue] {
        outlines.flatMap { outline in
            var first: [String: Rule] = [:]
            return outline.compactMap { number -> MappingIssue? in
                let rule = rules[Int(number)]
                let destination = rule.destination()
                // Computed properties cannot be told apart.
                guard !destination.hasPrefix(Property.nameOfComputed) else { return nil }
                guard let known = first[destination] else {
                    first[destination] = rule
                    return nil
                }
                return MappingIssue(
                    kind: .mapping, path: "$", rule: rule.description,
                    expected: "one rule for \(destination) (.first reads one of several sources)",
                    found: "another one, \(known)")
            }
        }
    }
}
