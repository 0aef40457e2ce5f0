import Synchronization

/// Identifies a file in the IDs of its objects; the open stores of one file share it.
final class StoreIdentity: Sendable {
    /// The identifier of the file; `nil` for a store in memory.
    let identifier: String?
    private let lastTemporaryRow = Atomic<Int64>(0)
    /// The rows of objects whose temporary IDs were obtained.
    private let savedRows = Mutex<[Int64: Int64]>([:])

    private struct Known: Sendable {
        weak let identity: StoreIdentity?
    }

    /// The identities of files that are in use, by identifier.
    private static let known = Mutex<[String: Known]>([:])
    /// That of objects without a context.
    static let none = StoreIdentity(nil)

    private init(_ identifier: String?) { self.identifier = identifier }

    /// Creates the identity of a store in memory.
    static func inMemory() -> StoreIdentity { StoreIdentity(nil) }

    /// Returns the identity of a file.
    static func ofFile(_ identifier: String) -> StoreIdentity {
        known.withLock { known in
            if let identity = known[identifier]?.identity { return identity }
            let new = StoreIdentity(identifier)
            known[identifier] = Known(identity: new)
            return new
        }
    }

    deinit {
        guard let identifier else { return }
        // Another one may have been created since the last reference was released.
        Self.known.withLock { if $0[identifier]?.identity == nil { $0[identifier] = nil } }
    }

    /// Returns a number for an object that has not been saved yet.
    func nextTemporaryRow() -> Int64 { -lastTemporaryRow.add(1, ordering: .relaxed).newValue }

    /// Records the row of a saved object whose temporary ID was obtained; `nil` if the save failed.
    func remember(_ row: Int64?, for temporary: Int64) { savedRows.withLock { $0[temporary] = row } }

    /// Returns the row of an ID; `nil` for a temporary ID of an object that was not saved.
    func row(of id: ObjectID) -> Int64? { savedRow(id.row) }

    /// Returns the saved row of one that may be temporary; `nil` if the object was not saved.
    func savedRow(_ row: Int64) -> Int64? { row < 0 ? savedRows.withLock { $0[row] } : row }
}

extension StoreIdentity: Hashable {
    static func == (a: StoreIdentity, b: StoreIdentity) -> Bool { a === b }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
