extension Mapping {
    /// Compiles the mapping, which its first use would do otherwise, and looks for mistakes in it.
    ///
    /// - Throws: `MappingError` with every mistake in it and in those that it refers to, such as an unknown operator;
    ///   also with those that no decode minds, such as two rules for one property.
    public func validate() throws(MappingError) {
        // What a session makes of the mapping is checked, too; most mappings have one plan for decodes with and without.
        let compiled = try storage.compiled(registering: true)
        let mistakes = compiled.doubts + compiled.plan.repeatedDestinations
        guard mistakes.isEmpty else { throw MappingError(mistakes) }
        _ = try storage.compiled(registering: false)
    }
}

extension Plan {
    /// The rules that set a property which another rule of the same mapping sets already, or sets together with what
    /// holds it; of both the one whose value comes later in a payload would win.
    ///
    /// Looked for by `validate()` only, since asking key paths for their names takes time.
    var repeatedDestinations: [MappingIssue] {
        outlines.flatMap { outline in
            var first: [String: Rule] = [:]
            // By the properties that hold what a rule sets.
            var inner: [String: Rule] = [:]
            return outline.compactMap { number -> MappingIssue? in
                let rule = rules[Int(number)]
                let destination = rule.destination
                // Computed properties cannot be told apart.
                guard !destination.hasPrefix(Property.nameOfComputed) else { return nil }
                if let known = first[destination] {
                    return MappingIssue(
                        kind: .mapping, path: "$", rule: rule.description,
                        expected: "one rule for \(destination) (.first reads one of several sources)",
                        found: "another one, \(known)")
                }
                first[destination] = rule
                let names = destination.split(separator: ".")
                let holders = (2..<max(2, names.count)).map { names[..<$0].joined(separator: ".") }
                for holder in holders { inner[holder] = inner[holder] ?? rule }
                guard let known = inner[destination] ?? holders.lazy.compactMap({ first[$0] }).first else { return nil }
                return MappingIssue(
                    kind: .mapping, path: "$", rule: rule.description,
                    expected: "a rule for a property or rules for what it holds, of which the later value would win",
                    found: "both, \(known)")
            }
        }
    }
}
