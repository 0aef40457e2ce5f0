import ObjectMapping

extension MappingTest {
    /// Returns the model, with the values that could be read, and all issues.
    func mapped() -> (model: Model?, issues: [MappingIssue]) { mapped(fixture) }

    private func mapped(_ fixture: some JSONInput) -> (model: Model?, issues: [MappingIssue]) {
        // Values that were read are compared even if there are issues.
        var report = MappingReport(policy: .collect)
        do throws(MappingError) {
            if keyPath == "" {
                return (try mapping.map(fixture, in: session, options: options, report: &report), report.issues)
            }
            let models = try mapping.mapAll(fixture, at: keyPath, in: session, options: options, report: &report)
            guard models.count == 1 || !report.rejected.isEmpty else {
                let issue = MappingIssue(
                    kind: .manyElements, path: "$", expected: "one object at '\(keyPath)'", found: "\(models.count)")
                return (nil, report.issues + [issue])
            }
            return (models.first, report.issues)
        } catch {
            return (nil, error.issues)
        }
    }

    func unreadKeys() throws(MappingError) -> [String] { try unreadKeys(fixture) }

    private func unreadKeys(_ fixture: some JSONInput) throws(MappingError) -> [String] {
        try mapping.unreadKeys(of: fixture, at: keyPath, options: options)
    }

    /// Returns the messages of unmet expectations of properties.
    func unmetProperties(_ model: Model?) -> [String] {
        var explanation: MappingExplanation?
        return expectations.compactMap { expectation in
            let text = model.map { expectation.unmet($0) } ?? "no model was created"
            guard let text else { return nil }
            let known = explanation ?? explained(fixture)
            explanation = known
            let rule = known.objects.first.flatMap { $0.rule(for: expectation.path[...]) }
            let none = expectation.isProperty && !expectation.path.isEmpty ? " (no rule sets it)" : ""
            return "\(expectation.name): \(text)" + (rule.map { " (\($0.details))" } ?? none)
        }
    }

    private func explained(_ fixture: some JSONInput) -> MappingExplanation {
        mapping.explain(fixture, at: keyPath, options: options, first: 1)
    }

    /// Returns the messages of unexpected issues, and of expected issues that did not occur.
    func unmetIssues(_ issues: [MappingIssue]) -> [String] {
        var unexpected = issues.filter { !$0.isWarning }
        var missing: [String] = []
        for text in issueTexts {
            if let index = unexpected.firstIndex(where: { $0.description.contains(text) }) {
                unexpected.remove(at: index)
            } else {
                missing.append("expected issue did not occur: '\(text)'")
            }
        }
        return missing + unexpected.map { "unexpected issue: \($0.details)" }
    }
}

extension MappingExplanation.Object {
    /// Returns the rule that sets a property, or the rule of the nearest enclosing property.
    fileprivate func rule(for path: ArraySlice<String>) -> MappingExplanation.Rule? {
        for count in stride(from: path.count, to: 0, by: -1) {
            let first = Array(path.prefix(count))
            guard let rule = rules.first(where: { $0.property == first }) else { continue }
            return count == path.count ? rule : rule.objects.first?.rule(for: path.dropFirst(count)) ?? rule
        }
        return nil
    }
}

extension MappingExplanation.Rule {
    /// The path of the property that the rule sets.
    fileprivate var property: [String]? {
        guard let arrow = rule.ranges(of: " -> ").last else { return nil }
        return Array(propertyPath(String(rule[arrow.upperBound...])).dropFirst())
    }
}
