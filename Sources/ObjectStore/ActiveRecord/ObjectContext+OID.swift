/// Objects by texts, for tools.
extension ObjectContext {
    /// Returns the object with an identity as text; SQL runs on another thread.
    nonisolated(nonsending) func object(oid: String, _ entity: StoredEntity) async throws(StoreError) -> ManagedObject?
    {
        let values = try OIDText.values(of: oid, entity)
        return try await core.reading { () throws(StoreError) in try core.find(values, entity) }
    }

    /// Returns the object of an entity by its identity as text, or by its row if it has no identity; `nil` if it does not
    /// exist.
    package func object(of entity: String, oid: String) throws(StoreError) -> ManagedObject? {
        let entity = try core.store.entity(named: entity)
        guard entity.identity.isEmpty else { return try core.find(try OIDText.values(of: oid, entity), entity) }
        guard let row = Int64(oid), row > 0 else { throw OIDText.invalid(oid, entity, "the number of a row") }
        return try core.read(entity, rows: [row]).first
    }

    /// Returns the name by which `object(of:oid:)` finds a saved object.
    package func name(of object: ManagedObject) throws(StoreError) -> String {
        let values = object.identityValues.map { $0 ?? .null }
        let isIdentified = !values.isEmpty && !values.contains(.null)
        return "\(core.entity(of: object).name)/\(isIdentified ? OIDText.text(of: values) : String(object.row))"
    }
}
