/// Keeps relationships that keys set up to date with written rows, in a transaction.
struct ConnectionUpdate {
    /// A relationship that was connected by key.
    struct Connected: Sendable {
        let entity: Int
        let row: Int64
        let relationship: Int
        let target: Int64
    }

    private let store: any StoredEntities
    private let connection: StoreConnection
    private var relationships: RelationshipWriter
    private var pending: PendingConnections
    private(set) var connected: [Connected] = []

    init(_ store: any StoredEntities, _ connection: StoreConnection) {
        self.store = store
        self.connection = connection
        relationships = RelationshipWriter(store, connection)
        pending = PendingConnections(store, connection)
    }

    /// The rows and lists that were written.
    var touched: CommitChanges {
        var touched = relationships.touched
        for connected in connected { touched.note(connected, in: store.entities) }
        return touched
    }

    /// Connects a relationship with the existing targets, and makes it wait for the others.
    mutating func connect(
        _ source: RowRelationship, by keys: [[StoredValue]], matching names: [String]
    ) throws(StoreError) {
        let destination = store.entities[source.relationship.destination]
        var missing: [[StoredValue]] = []
        for (position, key) in keys.enumerated() {
            guard let target = try connection.integer(destination.lookup(matching: names), key) else {
                missing.append(key)
                continue
            }
            // Others may have saved it since the payload was read.
            if try relationships.connect(source, to: target, at: position) { note(source, target) }
        }
        try pending.wait(source, for: missing, matching: names)
    }

    private mutating func note(_ source: RowRelationship, _ target: Int64) {
        connected.append(
            Connected(entity: source.entity.index, row: source.row, relationship: source.index, target: target))
    }

    /// Updates the unresolved relationships of rows whose properties were assigned: those that were set no longer wait, and
    /// others wait for the targets of the new keys.
    mutating func update(
        _ rows: some Collection<Int64>, of entity: StoredEntity, assigning properties: [PropertyIndex]
    ) throws(StoreError) {
        for (index, relationship) in entity.relationships.enumerated() {
            let isAssigned = properties.contains(.relationship(index))
            guard isAssigned || relationship.hasKey(among: properties) else { continue }
            for row in rows {
                let source = RowRelationship(entity: entity, index: index, row: row)
                guard try pending.isWaiting(source) else { continue }
                if isAssigned {
                    try pending.wait(source, for: [])
                } else {
                    try connectByKeys(source)
                }
            }
        }
    }

    private mutating func connectByKeys(_ source: RowRelationship) throws(StoreError) {
        // The first attributes with a key decide: each call replaces what the relationship waits for.
        for names in source.relationship.keys.map(\.matching) {
            let keys = try keys(of: source, matching: names)
            if !keys.isEmpty { return try connect(source, by: keys, matching: names) }
        }
        try connect(source, by: [], matching: [])
    }

    /// Returns the values of unique attributes of a relationship's targets from the keys of its row; without attributes,
    /// the identities.
    private func keys(
        of source: RowRelationship, matching names: [String]
    ) throws(StoreError) -> [[StoredValue]] {
        var keys: [[StoredValue]] = []
        for key in source.relationship.keys where key.matching == names {
            let list = key.attributes.map { source.entity.columnNames[$0] }.joined(separator: ", ")
            let conditions = key.conditions.map { " AND \(source.entity.columnNames[$0.attribute]) IS ?" }.joined()
            let row = "\(source.entity.table) WHERE \"_id\" = ?\(conditions)"
            keys += try connection.cached(
                source.isToMany
                    ? "SELECT value FROM json_each((SELECT \(list) FROM \(row)))" : "SELECT \(list) FROM \(row)"
            ).rows([.integer(source.row)] + key.conditions.map(\.value))
        }
        return keys.filter { !$0.contains(.null) }
    }

    /// Connects the rows that wait for rows with new identities or unique attributes, by entity.
    mutating func connectWaiting(for rows: [Int: [Int64]]) throws(StoreError) {
        var ranges: [Int: [ClosedRange<Int64>]] = [:]
        for (entity, rows) in rows where !rows.isEmpty {
            ranges[entity] = rows.sorted().reduce(into: []) { ranges, row in
                if let last = ranges.last, last.upperBound >= row - 1 {
                    ranges[ranges.count - 1] = last.lowerBound...row
                } else {
                    ranges.append(row...row)
                }
            }
        }
        var found: [(RowRelationship, Int64)] = []
        try pending.connect(to: ranges, with: &relationships, didConnect: { found.append(($0, $1)) })
        for (source, target) in found { note(source, target) }
    }
}

extension StoredEntity.Relationship {
    /// Whether one of its keys, or of their conditions, is among properties.
    fileprivate func hasKey(among properties: [PropertyIndex]) -> Bool {
        keys.contains { key in
            (key.attributes + key.conditions.map(\.attribute)).contains { properties.contains(.attribute($0)) }
        }
    }
}

extension CommitChanges {
    /// Records a relationship that was connected by key.
    fileprivate mutating func note(_ connected: ConnectionUpdate.Connected, in entities: [StoredEntity]) {
        let relationship = entities[connected.entity].relationships[connected.relationship]
        update(connected.row, connected.entity)
        update(connected.target, relationship.destination)
        if relationship.isToMany { changeList(connected.relationship, of: connected.row, connected.entity) }
        if let list = entities.inverseList(of: relationship) {
            changeList(list, of: connected.target, relationship.destination)
        }
    }
}
