/// Responses by which later requests are conditional, in the transaction that saves their objects.
extension SaveWriter {
    /// Records a response with the rows of its objects.
    func record(_ loaded: ChangeSet.Loaded?, _ outcome: SaveOutcome) throws(StoreError) {
        if let loaded { try connection.record(loaded, in: store) { $0 < 0 ? outcome.rows[$0] ?? 0 : $0 } }
    }

    /// Makes the requests of earlier responses unconditional whose rows the save has written.
    func expireResponses(after changes: ChangeSet, _ outcome: SaveOutcome) throws(StoreError) {
        try connection.expireResponses(in: store) { commit(of: changes, outcome) }
    }

    /// Forgets the responses with objects of entities.
    func forgetResponses(of entities: Set<Int>) throws(StoreError) {
        guard !entities.isEmpty, try connection.hasTable(LoadRecord.name) else { return }
        for entity in entities {
            try connection.run(
                #"DELETE FROM \#(LoadRecord.table) WHERE ? IN (SELECT value FROM json_each("entities"))"#,
                [.text(store.entities[entity].name)])
        }
    }
}
