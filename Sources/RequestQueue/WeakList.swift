/// References that keep nobody alive, and go with those whom they name.
struct WeakList<Object: AnyObject> {
    private var references: [WeakReference<Object>] = []

    init() {}

    /// Those who still live.
    ///
    /// Who asks under a lock holds the result until the lock is let go of: it may be the last reference to somebody whose
    /// end runs code of others.
    mutating func living() -> [Object] {
        let living = references.compactMap(\.object)
        if living.count < references.count { references = living.map(WeakReference.init) }
        return living
    }

    /// Adds somebody.
    ///
    /// - Returns: Those who were there before, to be held as ``living()`` says.
    mutating func add(_ object: Object) -> [Object] {
        let others = living()
        references.append(WeakReference(object))
        return others
    }
}
