import ObjectMapping
import Synchronization

/// The remote of an open store: what it is asked for, and what was asked before.
final class RemoteConnection: Sendable {
    let remote: any IncrementalStore
    let metadata: RemoteMetadata
    private let handler: (@Sendable (RemoteEvent) -> Void)?
    private let state = Mutex(State())

    private struct State {
        /// The fetches under way: equal ones are one request.
        var flights: [RemoteFetch: SharedTask<FetchedRows>] = [:]
        /// The last answers.
        var answers: [RemoteFetch: (time: ContinuousClock.Instant, rows: FetchedRows)] = [:]
        /// Insertions whose outcome is unknown, by temporary row.
        var unknownInsertions: [Int64: UnknownInsertion] = [:]
    }

    /// The objects of an answer.
    struct FetchedRows: Sendable {
        /// The objects of the entity in the order of the answer; `nil` if the file finds them.
        let range: [ObjectID]?
        /// What a complete answer has, and when its request began; `nil` if others cannot be removed.
        var complete: (rows: LoadedRows, mark: CommitMark)?
    }

    init(
        _ remote: any IncrementalStore, _ metadata: RemoteMetadata, _ handler: (@Sendable (RemoteEvent) -> Void)?
    ) {
        self.remote = remote
        self.metadata = metadata
        self.handler = handler
    }

    /// Returns a connection without fetches and answers, for another content of the file.
    func renewed() -> RemoteConnection { RemoteConnection(remote, metadata, handler) }

    /// Whether the remote has the objects of an entity.
    func has(_ entity: String) -> Bool { metadata.entities?.contains(entity) ?? true }

    func report(_ event: @autoclosure () -> RemoteEvent) { handler?(event()) }

    // MARK: Fetches

    /// Returns the task of a fetch: the one that runs already, or a new one.
    func flight(
        _ key: RemoteFetch, _ fetch: @escaping @Sendable () async throws -> FetchedRows
    ) -> SharedTask<FetchedRows> {
        let (flight, isNew) = state.withLock { state in
            if let known = state.flights[key], known.join() { return (known, false) }
            let new = SharedTask<FetchedRows>()
            state.flights[key] = new
            return (new, true)
        }
        guard isNew else { return flight }
        flight.start { [weak self] in
            let result: Result<FetchedRows, any Error>
            do { result = .success(try await fetch()) } catch { result = .failure(error) }
            self?.didEnd(key, flight, try? result.get())
            return try result.get()
        }
        return flight
    }

    private func didEnd(_ key: RemoteFetch, _ flight: SharedTask<FetchedRows>, _ rows: FetchedRows?) {
        state.withLock { state in
            if state.flights[key] === flight { state.flights[key] = nil }
            guard let rows else { return }
            // Programs that never repeat a fetch do not fill the memory.
            if state.answers.count >= 1_000 { state.answers = [:] }
            state.answers[key] = (.now, FetchedRows(range: rows.range))
        }
    }

    /// Returns the rows of the last answer to a fetch, unless it is older than a duration.
    func answer(_ key: RemoteFetch, upTo age: Duration) -> FetchedRows? {
        guard let answer = state.withLock({ $0.answers[key] }), answer.time.duration(to: .now) <= age else {
            return nil
        }
        return answer.rows
    }

    // MARK: Insertions whose outcome is unknown

    /// The key and the changes of the first attempt.
    typealias UnknownInsertion = (key: String, changes: UnsavedChanges)

    func unknownInsertion(_ row: Int64) -> UnknownInsertion? { state.withLock { $0.unknownInsertions[row] } }

    func setUnknownInsertion(_ insertion: UnknownInsertion?, _ row: Int64) {
        state.withLock { $0.unknownInsertions[row] = insertion }
    }
}
