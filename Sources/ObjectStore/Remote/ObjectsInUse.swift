import Synchronization

/// Notifies a remote of the saved objects that contexts hold, in a task without locks.
final class ObjectsInUse: Sendable {
    /// The objects of one entity in a context.
    private struct Source {
        weak var registry: ObjectRegistry?
        let entity: String
        let store: StoreIdentity
    }

    private struct State {
        var sources: [Source] = []
        /// Whether a task compares the objects, or is about to.
        var isRunning = false
        /// Whether objects were added or removed since the task compared them.
        var hasChanged = false
    }

    private let remote: any IncrementalStore
    private let state = Mutex(State())

    init(_ remote: any IncrementalStore) { self.remote = remote }

    /// Adds the objects of a context.
    func add(_ registries: [ObjectRegistry], of store: ManagedObjectStore) {
        let sources = zip(registries, store.entities).filter { $0.0.use != nil }.map { registry, entity in
            Source(registry: registry, entity: entity.name, store: store.identity)
        }
        state.withLock { state in
            state.sources.removeAll { $0.registry == nil }
            state.sources += sources
        }
    }

    /// Records that a context holds other objects; called on any thread, without locks.
    func didChange() {
        let starts = state.withLock { state in
            state.hasChanged = true
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { Task.detached { await self.report() } }
    }

    private let reported = Mutex<Set<ObjectID>>([])

    /// Notifies the remote until there are no further changes.
    private func report() async {
        while true {
            let sources = state.withLock { state -> [Source]? in
                guard state.hasChanged else {
                    state.isRunning = false
                    return nil
                }
                state.hasChanged = false
                return state.sources
            }
            guard let sources else { return }
            var objects: Set<ObjectID> = []
            for source in sources {
                for row in source.registry?.rows ?? [] where row > 0 {
                    objects.insert(ObjectID(entity: source.entity, row: row, store: source.store))
                }
            }
            let earlier = reported.withLock { reported in
                defer { reported = objects }
                return reported
            }
            let (added, removed) = (objects.subtracting(earlier), earlier.subtracting(objects))
            if !added.isEmpty { await remote.didRegister(added) }
            if !removed.isEmpty { await remote.didUnregister(removed) }
        }
    }
}
