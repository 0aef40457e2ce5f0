/// The objects of a to-many relationship as they were read, and later changes by inverses.
///
/// Changes are applied together when the list is accessed: each of them alone would take a pass over the list.
struct EditedList {
    /// The changes of one object.
    struct Entry {
        fileprivate let isRemoved: Bool
        fileprivate let place: Int?
    }

    private let known: [ManagedObject]
    private var removed: [ObjectIdentifier: ManagedObject] = [:]
    /// The objects at the end, in order; `nil` for those that were removed again.
    private var added: [ManagedObject?] = []
    private var places: [ObjectIdentifier: Int] = [:]

    /// Creates a list without changes.
    ///
    /// - Parameter objects: The objects. Defaults to none, for changes of a list that was not read yet.
    init(_ objects: [ManagedObject] = []) { known = objects }

    /// Adds an object at the end unless the list contains it, or removes it.
    mutating func set(_ object: ManagedObject, isMember: Bool) {
        let id = ObjectIdentifier(object)
        if isMember {
            guard places[id] == nil else { return }
            places[id] = added.count
            added.append(object)
        } else {
            if let place = places.removeValue(forKey: id) { added[place] = nil }
            removed[id] = object
        }
    }

    /// Whether objects were added.
    var hasAdditions: Bool { !places.isEmpty }

    /// The list after all changes.
    var objects: [ManagedObject] { changed(known) }

    /// Applies the changes to a list.
    func changed(_ list: [ManagedObject]) -> [ManagedObject] {
        var objects = removed.isEmpty ? list : list.filter { removed[ObjectIdentifier($0)] == nil }
        guard !places.isEmpty else { return objects }
        let members = Set(objects.map(ObjectIdentifier.init))
        for case let object? in added where !members.contains(ObjectIdentifier(object)) { objects.append(object) }
        return objects
    }

    /// All objects that the list retains.
    var heldObjects: [ManagedObject] { known + added.compactMap(\.self) + removed.values }

    /// Returns the changes of an object, which `restore` can restore.
    func entry(of object: ManagedObject) -> Entry {
        Entry(isRemoved: removed[ObjectIdentifier(object)] != nil, place: places[ObjectIdentifier(object)])
    }

    /// Undoes the last change of an object.
    mutating func restore(_ entry: Entry, of object: ManagedObject) {
        let id = ObjectIdentifier(object)
        if !entry.isRemoved { removed[id] = nil }
        if let place = places[id], place != entry.place { added[place] = nil }
        places[id] = entry.place
        if let place = entry.place { added[place] = object }
    }
}
