import ObjectMapping
import ObjectStore

/// What a build and a check have in common.
extension ObjectSeeder {
    /// How objects become rows, an entity each.
    var rowEntities: [RowEntity] {
        manifestEntities
            ?? model.entities.map { entity in
                (mappings[entity.name] ?? EntityMapping(entity.name)).rowEntity(of: entity, in: model)
            }
    }

    /// Names everything that is missing before anything is built.
    func checkInputs() throws(SeedError) {
        guard !sources.isEmpty else { throw SeedError(.badData, "no sources to read") }
        var missing: [String] = []
        for source in sources where source.file != "-" {
            do { _ = try InputKind(of: source.file, name: source.file) } catch { missing.append(error.message) }
        }
        guard missing.isEmpty else { throw SeedError(.inputMissing, missing.joined(separator: "\n")) }
    }

    /// The entities that come from one source only, each row with an identity of its own as far as anyone knows.
    func blindEntities(among entities: [RowEntity]) -> Set<Int> {
        let nested = Set(entities.flatMap(\.relationships).filter { $0.path != nil }.map(\.destination))
        return Set(
            entities.indices.filter { index in
                let feeding = sources.filter { $0.entity == index || $0.entity == nil }
                return feeding.count == 1 && !nested.contains(index)
            })
    }
}
