import ObjectMapping
import ObjectStore
import Seeder

/// Returns the lines that show one object with the objects to which it refers, by names: `seed-db` has no classes.
///
/// - Parameters:
///   - name: The entity and the identity as text, or the row of an entity without identity: `Task/105`.
///   - limit: The maximum number of objects of a to-many relationship.
func lines(ofObject name: String, in file: URL, _ model: ObjectModel, limit: Int) throws -> String {
    guard let slash = name.firstIndex(of: "/") else {
        throw UsageError("--object needs an entity and an identity such as Task/105, not '\(name)'", .inspect)
    }
    var options = ManagedObjectStore.Options()
    options.isReadOnly = true
    let store = try ManagedObjectStore(at: file, model: model, options: options)
    defer { store.close() }
    let (entity, oid) = (String(name[..<slash]), String(name[name.index(after: slash)...]))
    let context = ObjectContext(store)
    guard let object = try context.object(of: entity, oid: oid) else {
        throw StoreError(.missingObject, "there is no object '\(oid)' of '\(entity)'", entity: entity)
    }
    guard let description = model.entity(named: entity) else { return "" }
    var rows: [[String]] = []
    for attribute in description.attributes {
        // A value that cannot be read is an error, unlike in the table of rows.
        _ = try object.value(for: attribute.name)
        let value = object.managed.snapshot()[attribute.name] ?? .null
        rows.append([attribute.name, (value.text ?? value.description).withoutControls])
    }
    for relationship in description.relationships {
        let value = try object.value(for: relationship.name)
        let targets = value as? [ManagedObject] ?? [value as? ManagedObject].compactMap(\.self)
        let names = try targets.prefix(max(limit, 1)).map { try context.name(of: $0).withoutControls }
        let text = names.joined(separator: ", ") + (targets.count > names.count ? ", …" : "")
        rows.append([
            relationship.name, relationship.isToMany ? "\(targets.count)\(text.isEmpty ? "" : ": \(text)")" : text,
        ])
    }
    let width = rows.map { $0[0].count }.max() ?? 0
    return rows.map { "  \($0[0].padding(to: width))  \($0[1].isEmpty ? "NULL" : $0[1])" }.joined(separator: "\n")
}
