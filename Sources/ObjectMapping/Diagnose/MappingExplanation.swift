/// How a mapping read a payload, rule by rule; the result of `Mapping.explain(_:)`.
///
/// ```
/// $ Task (1:1)
///   id -> Task.id: 1:8 $.id, a string: set, converted to Int
///   title -> Task.title: absent: unchanged; did you mean 'titel'?
///   due -> Task.due: 1:34 $.due, null: cleared
///   comments -> Task.comments: 1:52 $.comments, an array: set, 12 objects
///     $.comments[0] Comment (1:53)
///       text -> Comment.text: 1:63 $.comments[0].text, a string: set
///     … 11 more objects
///   unread keys: titel (near 'title'), color
/// ```
///
/// It can be logged: however it is printed, it does not contain values of the payload. ``details`` contains them.
public struct MappingExplanation: Sendable, Hashable {
    /// The elements that were read, up to the requested number.
    public let objects: [Object]
    /// Whether there are further elements, which were not read.
    public let hasMore: Bool
    /// Issues that do not belong to an object: invalid JSON, an unresolved key path, errors of the mapping.
    public let issues: [MappingIssue]
    /// The connections without a target among the elements that were read.
    public let unresolved: [Unresolved]

    /// A connection without a target, for all objects with it.
    public struct Unresolved: Sendable, Hashable {
        /// The property and the type of the target, such as "Task.assignedUser waits for a User".
        public let connection: String
        /// The number of objects with this connection.
        public private(set) var count = 1
        /// The first keys of the missing targets, up to 10; only printed in ``MappingExplanation/details``.
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

    /// An object, and the results of its mapping's rules.
    public struct Object: Sendable, Hashable {
        /// Its path, such as `$.tasks[3]`.
        public let path: String
        /// The line of its first byte, starting at 1; 0 if the payload is not text.
        public let line: Int
        /// The column of its first byte in Unicode scalars, starting at 1; 0 if the payload is not text.
        public let column: Int
        /// The type of the model, such as "Task"; "User of UserValues" if it is created from another one.
        public let model: String
        /// Whether a model was created.
        public let isMade: Bool
        /// The rules of its mapping, in the order written.
        public let rules: [Rule]
        /// Its issues, except for those of values that rules read.
        public let issues: [MappingIssue]
        /// The keys that no rule reads, in the order of the text.
        public let unreadKeys: [UnreadKey]
    }

    /// A rule, and its result for an object.
    public struct Rule: Sendable, Hashable {
        /// The rule, such as `assigned_user_id -> Task.assignedUserID`.
        public let rule: String
        /// The path of the value; `nil` if it was not found.
        public let path: String?
        /// The line of the value, starting at 1; 0 without a value.
        public let line: Int
        /// The column of the value in Unicode scalars, starting at 1; 0 without a value.
        public let column: Int
        /// The kind of the value, such as "a string"; "absent" if it was not found.
        public let found: String
        /// The result of the rule.
        public let outcome: Outcome
        /// Keys that are similar to a missing one, best first.
        public let suggestions: [String]
        /// The objects of a relationship, up to the requested number.
        public let objects: [Object]
        /// The number of objects with this connection.
        public let objectCount: Int
        /// The number of objects for which a model was created.
        public let modelCount: Int
        /// The start of the raw value, unless it is null, an object or an array; only printed in ``details``.
        public let value: String?
    }

    /// The effect of a rule on a property.
    public enum Outcome: Sendable, Hashable {
        /// The property was set.
        case set
        /// The property was set to a value of another type, such as "Int".
        case converted(to: String)
        /// The property was cleared because of null: an optional is `nil`, and any other property has its initial
        /// value.
        case cleared
        /// The property is unchanged, because the value is absent.
        case absent
        /// The property is unchanged for the given reason.
        case skipped(String)
        /// The value has issues.
        case failed([MappingIssue])
    }

    /// A key that no rule reads.
    public struct UnreadKey: Sendable, Hashable {
        /// The key path relative to the object, such as `address.town`.
        public let key: String
        /// The path of its value, such as `$.tasks[3].address.town`.
        public let path: String
        /// Similar mapped keys, best first.
        public let suggestions: [String]
    }
}
