/// Weak references to objects; references to released objects are removed.
struct WeakList<Object: AnyObject> {
    private var references: [WeakReference<Object>] = []

    init() {}

    /// Returns the objects that are not released.
    ///
    /// A caller with a lock must hold the result until it unlocks: it can be the last reference to an object, whose
    /// deinitializer can run other code.
    mutating func living() -> [Object] {
        let living = references.compactMap(\.object)
        if living.count < references.count { references = living.map(WeakReference.init) }
        return living
    }

    /// Adds an object.
    ///
    /// - Returns: The objects before; hold them like the result of ``living()``.
    mutating func add(_ object: Object) -> [Object] {
        let others = living()
        references.append(WeakReference(object))
        return others
    }
}

/// A weak reference.
struct WeakReference<Object: AnyObject> {
    private(set) weak var object: Object?

    init(_ object: Object) { self.object = object }
}

/// A dispatch source that can be used on any thread.
///
/// Unchecked: sources are thread-safe, which Dispatch declares on Apple platforms only.
struct SharedSource<Source>: @unchecked Sendable {
    let source: Source

    init(_ source: Source) { self.source = source }
}
