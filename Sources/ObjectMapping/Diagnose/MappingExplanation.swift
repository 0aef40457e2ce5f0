/// What a mapping did with a payload, rule by rule: made by `Mapping.explain(_:)`.
///
/// ```
/// $ Task (1:1)
///   id -> Task.id: 1:8 $.id, a string: set, converted to Int
///   title -> Task.title: absent: left alone; did you mean 'titel'?
///   due -> Task.due: 1:34 $.due, null: cleared
///   comments -> Task.comments: 1:52 $.comments, an array: set, 12 objects
///     $.comments[0] Comment (1:53)
///       text -> Comment.text: 1:63 $.comments[0].text, a string: set
///     … 11 more objects
///   keys nobody read: titel (near 'title'), color
/// ```
///
/// `description` never holds a value of the payload, so it may be logged; `debugDescription` does.
public struct MappingExplanation: Sendable, Hashable {
    /// The elements that were read, as many as were asked for.
    public let objects: [Object]
    /// Whether there are further elements, which were not read.
    public let hasMore: Bool
    /// What no object has: broken JSON, a key path that leads nowhere, mistakes of the mapping.
    public let issues: [MappingIssue]
    /// The connections that found no target among the elements that were read.
    public let unresolved: [Unresolved]

    /// A connection, for all the objects in which it found no target.
    public struct Unresolved: Sendable, Hashable {
        /// The property and the type it waits for, as "Task.assignedUser waits for a User".
        public let connection: String
        /// In how many objects it waits.
        public private(set) var count = 1
        /// The first keys of the targets that are waited for, 10 at most; for `debugDescription` only.
        public private(set) var keys: [String]

        init(connection: String, key: String) {
            self.connection = connection
            keys = [key]
        }

        mutating func add(_ key: String) {
            count += 1
            if keys.count < 10 { keys.append(key) }
        }
    }

    /// An object, and what each rule of its mapping did with it.
    public struct Object: Sendable, Hashable {
        /// Its path, as `$.tasks[3]`.
        public let path: String
        /// Line of its first byte, from 1; 0 if the payload came without its text.
        public let line: Int
        /// Column of its first byte in Unicode scalars, from 1; 0 if the payload came without its text.
        public let column: Int
        /// The type that is made of it, as "Task"; "User of UserValues" where it is made of another one.
        public let model: String
        /// Whether it became a model.
        public let isMade: Bool
        /// The rules of its mapping, in the order written.
        public let rules: [Rule]
        /// What is wrong with it beside the values that rules read.
        public let issues: [MappingIssue]
        /// The keys that no rule read, in the order of the text.
        public let unreadKeys: [UnreadKey]
    }

    /// A rule, and what it did with an object.
    public struct Rule: Sendable, Hashable {
        /// The rule, as `assigned_user_id -> Task.assignedUserID`.
        public let rule: String
        /// The path of the value that it found; nil if it found none.
        public let path: String?
        /// Line of the value, from 1; 0 without one.
        public let line: Int
        /// Column of the value in Unicode scalars, from 1; 0 without one.
        public let column: Int
        /// The kind of the value, as "a string"; "absent" if it found none.
        public let found: String
        /// What the rule did.
        public let outcome: Outcome
        /// Keys near the one that it did not find, best first.
        public let suggestions: [String]
        /// The objects of a relationship, as many as were asked for.
        public let objects: [Object]
        /// How many objects there were.
        public let objectCount: Int
        /// How many of them became models.
        public let modelCount: Int
        /// The start of the value as it stood, unless it is null, an object or an array; for `debugDescription` only.
        public let value: String?
    }

    /// What a rule did with a property.
    public enum Outcome: Sendable, Hashable {
        /// Set it.
        case set
        /// Set it to a value of another kind than the one found, as "Int".
        case converted(to: String)
        /// Cleared it, as null says: an optional is nil, any other property has the value of a fresh model.
        case cleared
        /// Left it alone, as there was no value.
        case absent
        /// Left it alone on purpose, for the reason given.
        case skipped(String)
        /// Met something wrong.
        case failed([MappingIssue])
    }

    /// A key that no rule read.
    public struct UnreadKey: Sendable, Hashable {
        /// The key, with those that lead to it in a key path: `address.town`.
        public let key: String
        /// The path of its value, as `$.tasks[3].address.town`.
        public let path: String
        /// Mapped keys near it, best first.
        public let suggestions: [String]
    }
}
