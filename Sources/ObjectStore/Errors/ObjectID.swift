import ObjectMapping

/// The identity of a managed object across contexts and threads, and, as text, across runs of a program.
///
/// The ID of an object that has not been saved yet is temporary. It remains valid: after the save, every context of the
/// store finds the object with it. Stores that have the same file open have equal IDs.
///
/// ```swift
/// defaults.set(try task.managed.id.text, forKey: "lastTask")
/// // In another run:
/// let task = try ObjectID(text).map { try context.object(with: $0, as: ProjectTask.self) }
/// ```
public struct ObjectID: Sendable, Hashable, CustomStringConvertible {
    /// The name of the entity.
    public let entity: String
    /// The row, negative if it is temporary; 0 for an object without a context.
    let row: Int64
    let store: StoreIdentity

    /// Whether the object was not saved when the ID was obtained.
    public var isTemporary: Bool { row < 0 }

    /// The ID with the row that the object has received since; a temporary ID if it was not saved.
    package var saved: ObjectID { ObjectID(entity: entity, row: store.row(of: self) ?? row, store: store) }

    /// The entity and the row, such as `ProjectTask/7`; `ProjectTask/new1` for a temporary ID, and
    /// `ProjectTask/detached` for that of an object without a context.
    public var description: String {
        row == 0 ? "\(entity)/detached" : isTemporary ? "\(entity)/new\(-row)" : "\(entity)/\(row)"
    }
}

extension ObjectID {
    /// The ID as text, which is valid as long as the file exists: its identifier, the entity and the row.
    ///
    /// A copy of the file has the same IDs. A file that was opened only for reading, and that has no identifier yet, is
    /// identified by its path.
    ///
    /// - Throws: `StoreError` of kind `misuse` if the object was not saved yet, has no context, or belongs to a store in
    ///   memory.
    public var text: String {
        get throws(StoreError) {
            func failure(_ reason: String, _ advice: String) -> StoreError {
                StoreError(
                    .misuse, "the ID \(self) cannot be read by another run: \(reason)", advice: advice, entity: entity)
            }
            guard row != 0 else { throw failure("the object has no context", "insert and save the object first") }
            guard let identifier = store.identifier else {
                throw failure("the store is in memory", "open a file")
            }
            guard let row = store.row(of: self) else {
                throw failure("it is temporary", "save the context that inserted the object first")
            }
            return "\(identifier)/\(entity)/\(row)"
        }
    }

    /// Creates an ID from its text; `nil` if the text is not an ID.
    ///
    /// Whether the file and the object exist is checked when the object is read.
    public init?(_ text: String) {
        guard let first = text.firstIndex(of: "/"), let last = text.lastIndex(of: "/"), first < last,
            first > text.startIndex, let row = Int64(text[text.index(after: last)...]), row > 0
        else { return nil }
        let entity = text[text.index(after: first)..<last]
        guard !entity.isEmpty else { return nil }
        self.init(entity: String(entity), row: row, store: .ofFile(String(text[..<first])))
    }
}

extension ObjectID: Codable {
    /// Reads the ``text`` of an ID.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = ObjectID(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected the text of an ObjectID, found '\(text)'")
        }
        self = id
    }

    /// Writes the ``text`` of the ID.
    ///
    /// - Throws: `StoreError` for a temporary ID, and for that of a store in memory.
    public func encode(to encoder: any Encoder) throws {
        let text = try text
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
