/// An object that reads and writes its own row, as in the Active Record pattern.
///
/// A managed class conforms by naming the protocol:
///
/// ```swift
/// final class Person: ManagedObject, Persistable {
///     @Stored(.identity, .generated) var oid = UUID().uuidString
///     @Stored var name = ""
/// }
///
/// let person = Person(in: context)
/// person.name = "Roy"
/// try await person.persist()                          // INSERT
/// let same = try await Person.find(oid: person.oid, in: context)
/// ```
///
/// Another class implements the finder and the three statements, and keeps its ``PersistenceState``; it gets ``persist()``.
/// See <doc:ActiveRecord>.
public protocol Persistable: AnyObject {
    /// Where objects are found: an ``ObjectContext`` for managed classes, any type for others.
    associatedtype Database = ObjectContext

    /// The identifier of the object, which no other object of the class has.
    var oid: String { get }

    /// The state of the object.
    var persistenceState: PersistenceState { get }

    /// Returns the object with an identifier, in the state `existing`; `nil` if it does not exist.
    ///
    /// An object that is in memory is returned with its changes.
    ///
    /// - Throws: `StoreError` of kind `invalidValue` for a text that is not an identifier of the class.
    nonisolated(nonsending) static func find(oid: String, in database: Database) async throws -> Self?

    /// Creates the row of a new object, or again that of an object that was deleted, in one transaction.
    ///
    /// - Throws: An error if the row exists, or if the object is to be deleted; the state is unchanged.
    nonisolated(nonsending) func insert() async throws

    /// Writes the changes of the object to its row, in one transaction.
    ///
    /// - Throws: An error if there is no row, or if the object is to be deleted; the state is unchanged.
    nonisolated(nonsending) func update() async throws

    /// Deletes the row, in one transaction.
    ///
    /// - Throws: An error if there is no row; the state is unchanged.
    nonisolated(nonsending) func delete() async throws

    /// Inserts, updates or deletes the row of this object, or does nothing, according to its state.
    ///
    /// It is one transaction, which writes no other object.
    nonisolated(nonsending) func persist() async throws
}

extension Persistable {
    /// Inserts, updates or deletes the row of this object, or does nothing, according to its state.
    nonisolated(nonsending) public func persist() async throws {
        switch persistenceState {
        case .new: try await insert()
        case .changed: try await update()
        case .deleted: try await delete()
        case .existing, .detached: break
        }
    }
}
