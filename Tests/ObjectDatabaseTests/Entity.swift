import ObjectMapping

/// How objects of one class are stored as rows.
struct Entity: Sendable {
    /// An attribute of a row.
    struct Column: Sendable {
        let read: @Sendable (AnyObject) -> any Sendable
        let write: @Sendable (AnyObject, any Sendable) -> Void
    }

    /// References to other rows.
    struct Relation: Sendable {
        let read: @Sendable (AnyObject) -> [AnyObject]
        let write: @Sendable (AnyObject, [AnyObject]) -> Void
    }

    let type: any Makeable.Type
    let name: String
    let identity: [any AnyKeyPath & Sendable]
    let columns: [Column]
    let relations: [Relation]

    var id: ObjectIdentifier { ObjectIdentifier(type) }

    init(
        _ type: any Makeable.Type, by identity: [any AnyKeyPath & Sendable], _ columns: [Column],
        _ relations: [Relation] = []
    ) {
        self.type = type
        name = "\(type)"
        self.identity = identity
        self.columns = columns
        self.relations = relations
    }

    /// Whether the keys of a kind are those of the rows.
    func isIdentified(like kind: ObjectKind) -> Bool {
        kind.properties.elementsEqual(identity) { $0 as AnyKeyPath == $1 as AnyKeyPath }
    }

    /// Copies all properties of an object; the returned closure restores them.
    func state(of object: AnyObject) -> () -> Void {
        let values = columns.map { $0.read(object) }
        let targets = relations.map { $0.read(object) }
        return { [columns, relations] in
            for (column, value) in zip(columns, values) { column.write(object, value) }
            for (relation, objects) in zip(relations, targets) { relation.write(object, objects) }
        }
    }
}

/// A class whose objects are created from rows.
protocol Makeable: AnyObject, SendableMetatype {
    init()
}

/// A class whose objects are rows, with a mapping.
protocol Stored: Makeable, Mappable {
    static var entity: Entity { get }
}

/// The key of an object by some properties; nil if one of them is nil.
func key(of object: AnyObject, by properties: [any AnyKeyPath & Sendable]) -> ObjectKey? {
    func key(_ value: some Hashable) -> ObjectKey? { ObjectKey(value) }
    var parts: [ObjectKey] = []
    for property in properties {
        guard let value = (object as Any)[keyPath: property as AnyKeyPath] as? any Hashable, let part = key(value)
        else {
            return nil
        }
        parts.append(part)
    }
    return ObjectKey(parts: parts)
}

func column<Model: AnyObject, Value: Sendable>(
    _ property: any ReferenceWritableKeyPath<Model, Value> & Sendable
) -> Entity.Column {
    Entity.Column(
        read: { ($0 as? Model).map { $0[keyPath: property] } as any Sendable },
        write: { object, value in
            if let model = object as? Model, let value = value as? Value { model[keyPath: property] = value }
        })
}

func relation<Model: AnyObject, Target: AnyObject>(
    _ property: any ReferenceWritableKeyPath<Model, Target?> & Sendable
) -> Entity.Relation {
    Entity.Relation(
        read: { ($0 as? Model)?[keyPath: property].map { [$0] } ?? [] },
        write: { ($0 as? Model)?[keyPath: property] = $1.first as? Target })
}

func relation<Model: AnyObject, Target: AnyObject>(
    _ property: any ReferenceWritableKeyPath<Model, [Target]> & Sendable
) -> Entity.Relation {
    Entity.Relation(
        read: { ($0 as? Model)?[keyPath: property] ?? [] },
        write: { ($0 as? Model)?[keyPath: property] = $1.compactMap { $0 as? Target } })
}
