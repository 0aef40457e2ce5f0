/// The identity of a managed object across contexts and threads.
///
/// The ID of an object that was not saved yet is temporary. It stays valid: every context of the store finds the object
/// by it after the save.
public struct ObjectID: Sendable, Hashable, CustomStringConvertible {
    /// The name of the entity.
    public let entity: String
    /// The row, negative if it is temporary.
    let row: Int64
    /// The store that the object belongs to, as a number that no two open stores of a process share.
    let store: Int

    /// Whether the object was not saved when the ID was obtained.
    public var isTemporary: Bool { row < 0 }

    /// The entity and the row, as `ProjectTask/7`; `ProjectTask/new1` for a temporary ID.
    public var description: String { isTemporary ? "\(entity)/new\(-row)" : "\(entity)/\(row)" }
}
