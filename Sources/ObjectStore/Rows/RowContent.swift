package import ObjectMapping

/// A text with objects at the key paths of its parts.
package struct RowContent: Sendable {
    let text: Data
    let metadata: JSON
    let parts: [RowLoad]

    /// - Parameter metadata: The object for the sources `.metadata("…")`. Defaults to an empty object.
    package init(_ text: Data, metadata: JSON = [:], _ parts: [RowLoad]) {
        (self.text, self.metadata, self.parts) = (text, metadata, parts)
    }
}

/// The elements at a key path of a response, which are written as rows if no rule or class requires their objects.
package struct RowLoad: Sendable {
    let keyPath: JSONKeyPath
    let shape: ElementShape
    private let compile: @Sendable () throws(MappingError) -> RowPlan

    /// - Parameter mapping: The mapping of the elements.
    package init<Model: ManagedObjectClass>(
        _ mapping: Mapping<Model>, at keyPath: JSONKeyPath, each shape: ElementShape
    ) {
        (self.keyPath, self.shape) = (keyPath, shape)
        compile = { () throws(MappingError) in try mapping.rowPlan() }
    }

    /// The plan; `nil` for a mapping of which a rule requires objects, has nested ones, or calls code of the program.
    var plan: RowPlan? {
        guard let plan = try? compile() else { return nil }
        return plan.tables.count == 1 && plan.tables[0].isPlain && plan.tables[0].objectRules.isEmpty ? plan : nil
    }
}
