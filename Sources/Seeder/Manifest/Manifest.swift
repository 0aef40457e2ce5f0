package import ObjectMapping
import ObjectStore

/// The content of a manifest: the model, the mapping of objects to rows, and the dumps.
package struct Manifest {
    let model: ObjectModel
    package let entities: [RowEntity]
    let sources: [Source]
    /// The formats of the attributes of each entity.
    let formats: [[AttributeFormat?]]

    /// A dump and the location of its elements.
    struct Source {
        /// The file name in the manifest; `-` is standard input.
        let file: String
        /// The index of the entity; `nil` for wrapped elements.
        let entity: Int?
        let keyPath: JSONKeyPath
        let shape: ElementShape
        /// `nil` for JSON.
        let format: (any PayloadFormat)?
    }

    /// Reads a manifest.
    ///
    /// - Parameters:
    ///   - bytes: The text of the manifest.
    ///   - file: The name of the manifest in messages.
    ///   - formats: The formats of dumps; `nil` for a caller that reads no dumps.
    /// - Throws: `SeedError` with all issues of the manifest and their positions.
    package init(_ bytes: [UInt8], file: String, formats: PayloadFormats?) throws(SeedError) {
        let issues = ManifestIssues(bytes: bytes, file: file)
        let content = try issues.content()
        let checker = ManifestChecker(content: content, issues: issues, formats: formats)
        let model = issues.hasMisplacedValues ? nil : checker.model()
        try issues.check()
        guard let model else { throw SeedError(.badData, "\(file) has no valid model") }
        self.model = model
        let names = content.entities.map(\.name)
        self.formats = content.entities.map { $0.attributes.map(\.checkedFormat) }
        entities = content.entities.map { $0.rowEntity(among: names) }
        sources = content.sources.map { source in
            Source(
                file: source.file, entity: source.entity.flatMap(names.firstIndex), keyPath: source.keyPath,
                shape: source.shape, format: formats.flatMap(source.format(in:)))
        }
    }
}

extension EntityDraft {
    /// Returns the mapping of objects to rows of the entity.
    ///
    /// - Parameter names: The names of all entities, in order.
    fileprivate func rowEntity(among names: [String]) -> RowEntity {
        RowEntity(
            name: name,
            attributes: attributes.map { attribute in
                let stored = attribute.stored
                return RowAttribute(
                    name: stored.name, type: stored.type, source: attribute.source,
                    isRequired: !stored.isOptional && stored.defaultValue == nil || identity.contains(stored.name),
                    pattern: attribute.pattern, dateFormat: attribute.checkedFormat?.dateFormat)
            },
            relationships: relationships.map { relationship in
                RowRelationship(
                    name: relationship.stored.name, path: relationship.path,
                    destination: names.firstIndex(of: relationship.stored.destination) ?? 0,
                    isToMany: relationship.stored.isToMany, areMembers: relationship.each == .member)
            },
            elementNames: elementNames)
    }
}

extension AttributeDraft {
    /// The format, which was checked before.
    fileprivate var checkedFormat: AttributeFormat? { format.flatMap { try? AttributeFormat($0, of: stored.type) } }
}
