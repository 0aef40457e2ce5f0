import ObjectMapping

/// The reason why a database could not be opened, read or written.
///
/// `description` contains the statement but no bound values, so it can be logged.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error.
    public enum Kind: String, Sendable {
        /// The disk, or the space allowed to the database, is full.
        case full
        /// The system failed to read or write.
        case inputOutput
        /// The file cannot be opened or created.
        case cannotOpen
        /// The file was deleted, moved or replaced while the store was open.
        case replaced
        /// The file cannot be written.
        case readOnly
        /// The database is locked: another process or context has been writing for longer than the timeout, or the call
        /// is made by code that the store calls while it writes.
        case busy
        /// The file is damaged or not a database.
        case corrupt
        /// The database belongs to another program.
        case foreign
        /// The file was written by a newer version of this package.
        case newerFormat
        /// The file has another model.
        case modelMismatch
        /// A step of a migration failed; the file is unchanged.
        case migrationFailed
        /// A unique index or a reference is violated.
        case constraint
        /// The object no longer exists in the store.
        case missingObject
        /// Objects cannot be saved; see `problems`.
        case invalidObjects
        /// Two objects have the same identity.
        case identityTaken
        /// An attribute was changed by others since the object was read; see `conflicts`.
        case conflict
        /// A remote did not save all changes; see `outcomes`.
        case notSaved
        /// The file belongs to another remote or another user of it.
        case otherRemote
        /// The context or the store was closed.
        case closed
        /// The model does not contain the entity.
        case unknownEntity
        /// The syntax of a search is invalid.
        case invalidSearch
        /// The entity does not contain the attribute or relationship.
        case unknownProperty
        /// A property cannot have the value.
        case invalidValue
        /// The operation was interrupted.
        case interrupted
        /// A statement is invalid, or used incorrectly.
        case misuse
    }

    /// The kind of the error.
    public let kind: Kind
    /// The message.
    public let message: String
    /// How to fix the error; `nil` if it is obvious.
    public let advice: String?
    /// SQLite's extended result code; 0 for other errors.
    public let code: Int32
    /// The statement that failed, without bound values; `nil` for other errors.
    public let sql: String?
    /// The entity; `nil` if the error does not refer to one.
    public let entity: String?
    /// All reasons of all objects that cannot be saved; empty for other kinds.
    public package(set) var problems: [ObjectProblem]
    /// The attributes that others changed as well; empty for other kinds.
    public let conflicts: [AttributeConflict]
    /// The values that another object has already; `nil` for other errors.
    public let violation: UniqueViolation?
    /// The outcome of each change that a remote was asked to save; empty for other kinds.
    public let outcomes: [ObjectOutcome]
    /// Whether an entity that was written without lookups has a repeated identity, and must be written with lookups.
    package let needsLookups: Bool

    package init(
        _ kind: Kind, _ message: String, advice: String? = nil, code: Int32 = 0, sql: String? = nil,
        entity: String? = nil, problems: [ObjectProblem] = [], conflicts: [AttributeConflict] = [],
        violation: UniqueViolation? = nil, outcomes: [ObjectOutcome] = [], needsLookups: Bool = false
    ) {
        self.kind = kind
        self.message = message
        self.advice = advice
        self.code = code
        self.sql = sql
        self.entity = entity
        self.problems = problems
        self.conflicts = conflicts
        self.violation = violation
        self.outcomes = outcomes
        self.needsLookups = needsLookups
    }

    /// The message, the advice, the code and the statement, on one line, and up to 20 problems, conflicts and outcomes.
    public var description: String {
        var text = message
        if let advice { text += "; \(advice)" }
        if code != 0 { text += " (SQLite code \(code))" }
        if let sql { text += " in: \(sql)" }
        let others = outcomes.filter { $0.kind != .saved }
        let lines =
            firstLines(problems, "problems") + firstLines(conflicts, "conflicts") + firstLines(others, "outcomes")
        return lines.reduce(text) { "\($0)\n- \($1)" }
    }
}
