/// An object of an entity without a class: its properties are accessed by name.
///
/// ```swift
/// let store = try await ManagedObjectStore.open(at: url)
/// try await store.perform { context in
///     let person = try context.insert("Person")
///     person["name"] = "Roy"
///     try context.save()
/// }
/// ```
///
/// It is created by ``ObjectContext/insert(_:)-(String)`` and by fetches. In all other respects it is an object of its
/// context like those of classes. See <doc:DynamicObjects>.
public final class DynamicObject: ManagedObject {
    /// The attributes and relationships of the entity.
    let layout: ManagedClass
    /// The memory of the properties.
    let values: ObjectMemory

    /// Creates an object without an entity, which cannot be saved.
    ///
    /// Use ``ObjectContext/insert(_:)-(String)`` instead.
    public required convenience init() { self.init(.absent) }

    init(_ layout: ManagedClass) {
        self.layout = layout
        values = layout.template.makeMemory()
        super.init()
        hasSeparateValues = true
    }

    deinit {
        // Can run on any thread, before the deinitializer of the superclass.
        for relationship in layout.relationships where relationship.isToMany { releaseList(at: relationship.offset) }
        layout.template.end(values)
    }
}

extension ManagedObject {
    /// The properties of the object; `nil` for a class that cannot be examined.
    final var managedClass: ManagedClass? {
        (self as? DynamicObject)?.layout ?? (try? ManagedClass.of(type(of: self)))
    }
}
