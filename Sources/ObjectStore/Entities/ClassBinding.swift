/// The class of an entity's objects: where they have their properties, how these are converted, and what is called.
final class ClassBinding: Sendable {
    /// How the property of a column is loaded.
    struct LoadStep: Sendable {
        let offset: Int
        /// `nil` for an attribute whose values need its coding.
        let direct: DirectCoding?
        let isIdentity: Bool
    }

    let type: ManagedClass
    /// How the columns of the selection are loaded, except for that of the row.
    let loadSteps: [LoadStep]
    /// The attributes whose values can be invalid.
    let validated: [ManagedAttribute]
    /// The offsets of attributes whose defaults count as assigned.
    let generated: [Int]

    /// - Parameter toOnes: The indexes of the to-one relationships, in the order of their columns.
    init(_ type: ManagedClass, toOnes: [Int]) {
        self.type = type
        loadSteps =
            type.attributes.filter { !$0.isTransient }.map {
                LoadStep(offset: $0.offset, direct: $0.direct, isIdentity: $0.isIdentity)
            }
            + toOnes.map { LoadStep(offset: type.relationships[$0].offset, direct: .row, isIdentity: false) }
        validated = type.attributes.filter(\.needsValidation)
        generated = type.attributes.filter(\.isGenerated).map(\.offset)
    }
}

/// Values in columns that others may have written.
extension StoredEntity {
    /// Returns the value of a column in the form that objects write: others may have written the same value differently.
    func canonical(_ value: StoredValue, of property: PropertyIndex) -> StoredValue {
        guard !value.isNull else { return valueForNull(of: property) }
        guard case .attribute(let index) = property else { return value }
        return binding.type.attributes[index].canonical(value) ?? value
    }

    /// The value that NULL in the column of a property represents.
    func valueForNull(of property: PropertyIndex) -> StoredValue {
        guard case .attribute(let index) = property else { return .null }
        let attribute = binding.type.attributes[index]
        return attribute.isOptional ? .null : attribute.defaultValue
    }
}
