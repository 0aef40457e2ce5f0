/// The identity of a managed object across contexts and threads.
///
/// The ID of an object that has not been saved yet is temporary. It remains valid: after the save, every context of the
/// store finds the object with it.
public struct ObjectID: Sendable, Hashable, CustomStringConvertible {
    /// The name of the entity.
    public let entity: String
    /// The row, negative if it is temporary.
    let row: Int64
    /// The number of the object's store, which is unique among the open stores of a process.
    let store: Int

    /// Whether the object was not saved when the ID was obtained.
    public var isTemporary: Bool { row < 0 }

    /// The entity and the row, such as `ProjectTask/7`; `ProjectTask/new1` for a temporary ID.
    public var description: String { isTemporary ? "\(entity)/new\(-row)" : "\(entity)/\(row)" }
}
