import ObjectMapping
import Synchronization

/// The remote of an open store, and what it is asked for.
final class RemoteConnection: Sendable {
    let remote: any IncrementalStore
    let metadata: RemoteMetadata
    /// What contexts hold; `nil` if the remote does not observe it.
    let objectsInUse: ObjectsInUse?
    private let handler: (@Sendable (RemoteEvent) -> Void)?
    private let state = Mutex(State())

    private struct State {
        /// The fetches under way: equal ones are one request.
        var flights: [Flight: SharedTask<FetchedRows>] = [:]
        /// The objects that the remote has deleted while answers were under way, which may still have them.
        var deletions: [DeletedObject] = []
        /// The number of answers under way, and of all deletions.
        var loads = (running: 0, deletions: 0)
    }

    /// A fetch that can be answered as unchanged, or that needs the objects.
    private struct Flight: Hashable {
        let fetch: RemoteFetch
        let isConditional: Bool
    }

    /// The entity and the identity of a deleted object.
    private struct DeletedObject: Hashable {
        let entity: String
        let identity: [StoredValue?]
    }

    /// The objects of an answer.
    struct FetchedRows: Sendable {
        /// The objects of the entity in the order of the answer; `nil` if the file finds them.
        let range: [ObjectID]?
        /// What is known of the objects that the answer does not have; `nil` if no fetch wants to remove them.
        let answer: Answer?

        enum Answer {
            /// What a complete answer has, and when its request began.
            case complete(LoadedRows, CommitMark)
            /// Others cannot be removed, for a reason.
            case incomplete(String)
        }
    }

    init(
        _ remote: any IncrementalStore, _ metadata: RemoteMetadata, _ handler: (@Sendable (RemoteEvent) -> Void)?
    ) {
        self.remote = remote
        self.metadata = metadata
        self.handler = handler
        objectsInUse = metadata.observesObjectsInUse ? ObjectsInUse(remote) : nil
    }

    /// Returns a connection without fetches and answers, for another content of the file.
    func renewed() -> RemoteConnection { RemoteConnection(remote, metadata, handler) }

    /// Whether the remote has the objects of an entity.
    func has(_ entity: String) -> Bool { metadata.entities?.contains(entity) ?? true }

    func report(_ event: @autoclosure () -> RemoteEvent) { handler?(event()) }

    // MARK: Fetches

    /// Returns the task of a fetch: the one that runs already, or a new one.
    ///
    /// - Parameter isConditional: Whether the answer can be that nothing has changed; one with the objects serves, too.
    func flight(
        _ fetch: RemoteFetch, isConditional: Bool, _ body: @escaping @Sendable () async throws -> FetchedRows
    ) -> SharedTask<FetchedRows> {
        let key = Flight(fetch: fetch, isConditional: isConditional)
        let (flight, isNew) = state.withLock { state in
            for key in [Flight(fetch: fetch, isConditional: false), key] {
                if let known = state.flights[key], known.join() { return (known, false) }
            }
            let new = SharedTask<FetchedRows>()
            state.flights[key] = new
            return (new, true)
        }
        guard isNew else { return flight }
        flight.start { [weak self] in
            let result: Result<FetchedRows, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            self?.didEnd(key, flight)
            return try result.get()
        }
        return flight
    }

    private func didEnd(_ key: Flight, _ flight: SharedTask<FetchedRows>) {
        state.withLock { state in
            if state.flights[key] === flight { state.flights[key] = nil }
        }
    }

    // MARK: Deletions during a fetch

    /// Calls a closure that asks the remote for objects.
    func loading<Result: Sendable>(_ body: (LaterDeletions) async throws -> Result) async throws -> Result {
        let start = state.withLock { state in
            state.loads.running += 1
            return state.loads.deletions
        }
        defer {
            state.withLock { state in
                state.loads.running -= 1
                if state.loads.running == 0 { state.deletions = [] }
            }
        }
        return try await body(LaterDeletions(connection: self, start: start))
    }

    /// The objects that the remote has deleted since a load began.
    struct LaterDeletions: Sendable {
        fileprivate let connection: RemoteConnection
        fileprivate let start: Int

        var isEmpty: Bool { connection.state.withLock { $0.loads.deletions == start } }

        func contains(_ entity: String, _ identity: [StoredValue?]) -> Bool {
            connection.state.withLock { state in
                // The first ones may have been released already.
                let later = state.deletions.suffix(max(0, state.loads.deletions - start))
                return later.contains(DeletedObject(entity: entity, identity: identity))
            }
        }
    }

    /// Records that the remote has deleted an object.
    func didDelete(_ entity: String, _ identity: [StoredValue?]) {
        state.withLock { state in
            guard state.loads.running > 0 else { return }
            state.loads.deletions += 1
            state.deletions.append(DeletedObject(entity: entity, identity: identity))
        }
    }
}
