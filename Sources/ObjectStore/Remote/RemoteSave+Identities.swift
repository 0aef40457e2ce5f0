/// The identities of new objects, before anything is sent.
extension RemoteSave {
    nonisolated(nonsending) func assignIdentities(to inserted: [ManagedObject]) async throws(StoreError) {
        let objects = inserted.filter { $0.identityValues.contains { $0 == nil } }
        guard !objects.isEmpty else { return }
        let remote = remote
        let identities: [[String: StoredValue]]
        do {
            let described = objects.map { $0.described(as: $0.managed.id) }
            identities = try await SharedTask.value { try await remote.remote.identities(for: described) }
        } catch {
            throw StoreError(
                .notSaved, "the remote assigned no identities: \(error)", advice: "save again",
                outcomes: objects.map { ObjectOutcome($0.managed.id, .insert, .notSent) })
        }
        guard identities.isEmpty || identities.count == objects.count else {
            throw StoreError(
                .notSaved, "the remote assigned \(identities.count) identities to \(objects.count) objects",
                advice: "return one element for each object, or none")
        }
        for (object, identity) in zip(objects, identities) where object.core === core {
            for (index, attribute) in core.entity(of: object).type.attributes.enumerated() where attribute.isIdentity {
                guard let value = identity[attribute.name].flatMap(attribute.canonical), !value.isNull else {
                    continue
                }
                object.willChange(at: attribute.offset)
                object.set(value, at: index)
            }
            if let name = object.unassignedIdentityName {
                throw StoreError(
                    .notSaved, "the remote assigned no valid '\(name)' to \(object.managed.id)",
                    advice: "return a value for each attribute of the identity, or no elements at all",
                    outcomes: objects.map { ObjectOutcome($0.managed.id, .insert, .notSent) })
            }
        }
    }

    /// Throws if new objects have the identity of another new object, or of one that is deleted by the same save.
    func checkIdentities(of inserted: [ManagedObject]) throws(StoreError) {
        guard !inserted.isEmpty else { return }
        var holders: [String: [[StoredValue]: ObjectID]] = [:]
        for object in core.changedObjects.filter({ $0.state?.phase == .deleted }) + inserted {
            let (entity, values) = (core.entity(of: object), object.identityValues.compactMap(\.self))
            guard !values.isEmpty, values.count == entity.identity.count else { continue }
            guard let holder = holders[entity.name, default: [:]].updateValue(object.managed.id, forKey: values) else {
                continue
            }
            let names = entity.identity.map { entity.description.attributes[$0].name }.joined(separator: ", ")
            throw StoreError(
                .identityTaken,
                "cannot save the object \(object.managed.id): its identity (\(names)) is taken by "
                    + (holder.isTemporary
                        ? "\(holder), another new object" : "\(holder), which is about to be deleted"),
                advice: holder.isTemporary
                    ? "look the object up with find before creating one" : "save the deletion first",
                entity: entity.name)
        }
    }
}

extension ManagedObject {
    /// The name of an attribute of the identity that has no value; `nil` if the identity is complete.
    var unassignedIdentityName: String? {
        guard let entity = core?.entity(of: self) else { return nil }
        return zip(entity.identity, identityValues).first { $1 == nil }.map { entity.description.attributes[$0.0].name }
    }
}
