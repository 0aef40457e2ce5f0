/// Objects of a response that the store refuses.
extension ObjectContext {
    /// An object that cannot be saved.
    package struct Refused {
        /// The object, which was discarded.
        package let object: ManagedObject
        /// The values of its identity, for messages that contain values.
        package let identity: String
        /// Why it cannot be saved.
        package let reasons: [String]
    }

    /// Throws an error if the store is closed.
    package func checkStore() throws(StoreError) { try core.store.read { _ in } }

    /// The row of the object with the identity that a rejected update would give to another object; `nil` for none.
    package var hasRejectedIdentity: Bool { core.dataSource.rowOfIdentity != 0 }

    /// Discards the objects because of which a save failed, and the record of their response.
    ///
    /// - Returns: The objects; empty if the error does not name any.
    package func discardRefused(by error: StoreError) -> [Refused] {
        let problems = Dictionary(grouping: error.problems, by: \.object)
        guard !problems.isEmpty else { return [] }
        core.reconcile()
        var refused: [Refused] = []
        for object in core.changedObjects {
            guard let reasons = problems[core.id(of: object)] else { continue }
            let identity = object.identityValues.map { value in value.map { "\($0)" } ?? "null" }
            refused.append(
                Refused(
                    object: object, identity: identity.joined(separator: ", "),
                    reasons: reasons.map { ($0.property.map { "\($0): " } ?? "") + $0.message }))
        }
        for refused in refused {
            if refused.object.state?.phase == .inserted { delete(refused.object) } else { refresh(refused.object) }
        }
        core.sending.responses.loaded = nil
        return refused
    }
}
