/// Why a database could not be opened, read or written.
///
/// `description` holds the statement but no bound value, so it may be logged.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What sort of thing went wrong.
    public enum Kind: String, Sendable {
        /// The disk, or the space allowed to the database, is full.
        case full
        /// The system failed to read or write.
        case inputOutput
        /// The file cannot be opened or created.
        case cannotOpen
        /// The file may not be written.
        case readOnly
        /// Another process holds the database.
        case busy
        /// The file is no database, or a damaged one.
        case corrupt
        /// The file is a database of another program.
        case foreign
        /// The file was written by a newer version of this package.
        case newerFormat
        /// The file holds another model.
        case modelMismatch
        /// A unique index or a reference does not hold.
        case constraint
        /// An object is not in the store any more.
        case missingObject
        /// Objects cannot be saved; `problems` has the reasons.
        case invalidObjects
        /// Two objects have one identity.
        case identityTaken
        /// An attribute was changed by others since the object was read; `conflicts` has the values.
        case conflict
        /// The context or the store was closed.
        case closed
        /// An entity is asked for that the model does not have.
        case unknownEntity
        /// The work was told to stop.
        case interrupted
        /// A statement is wrong, or used wrongly.
        case misuse
    }

    /// What sort of thing went wrong.
    public let kind: Kind
    /// What went wrong, in words.
    public let message: String
    /// What may be done about it; nil where that is plain.
    public let advice: String?
    /// SQLite's extended result code; 0 where SQLite was not asked.
    public let code: Int32
    /// The statement that failed, without the values bound to it; nil where there was none.
    public let sql: String?
    /// The entity that the error is about; nil where it is about none.
    public let entity: String?
    /// Why objects cannot be saved, all reasons of all objects; empty for other kinds.
    public let problems: [ObjectProblem]
    /// The attributes that others changed, too; empty for other kinds.
    public let conflicts: [AttributeConflict]
    /// Whether an entity's rows, thought to be all different, repeat an identity: they have to be written with care.
    package let needsCare: Bool

    package init(
        _ kind: Kind, _ message: String, advice: String? = nil, code: Int32 = 0, sql: String? = nil,
        entity: String? = nil, problems: [ObjectProblem] = [], conflicts: [AttributeConflict] = [],
        needsCare: Bool = false
    ) {
        self.kind = kind
        self.message = message
        self.advice = advice
        self.code = code
        self.sql = sql
        self.entity = entity
        self.problems = problems
        self.conflicts = conflicts
        self.needsCare = needsCare
    }

    /// The message, what may be done, the code and the statement, on one line.
    public var description: String {
        var text = message
        if let advice { text += "; \(advice)" }
        if code != 0 { text += " (SQLite code \(code))" }
        if let sql { text += " in: \(sql)" }
        for problem in problems { text += "\n- \(problem)" }
        for conflict in conflicts { text += "\n- \(conflict)" }
        return text
    }
}
