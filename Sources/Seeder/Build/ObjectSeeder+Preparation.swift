import ObjectMapping
import ObjectStore

/// The common parts of a build and a check.
extension ObjectSeeder {
    /// The mappings of objects to rows, one per entity.
    var rowEntities: [RowEntity] {
        manifestEntities
            ?? model.entities.map { entity in
                (mappings[entity.name] ?? EntityMapping(entity.name)).rowEntity(of: entity, in: model)
            }
    }

    /// Reports all missing inputs before anything is built.
    func checkInputs() throws(SeedError) {
        guard !sources.isEmpty else { throw SeedError(.badData, "no sources to read") }
        var missing: [String] = []
        for source in sources where source.file != "-" {
            do { _ = try InputKind(of: source.file, name: source.file) } catch { missing.append(error.message) }
        }
        guard missing.isEmpty else { throw SeedError(.inputMissing, missing.joined(separator: "\n")) }
    }

    /// Returns the entities with a single source, whose rows are assumed to have distinct identities.
    func blindEntities(among entities: [RowEntity]) -> Set<Int> {
        let nested = Set(entities.flatMap(\.relationships).filter { $0.path != nil }.map(\.destination))
        return Set(
            entities.indices.filter { index in
                let feeding = sources.filter { $0.entity == index || $0.entity == nil }
                return feeding.count == 1 && !nested.contains(index)
            })
    }
}
