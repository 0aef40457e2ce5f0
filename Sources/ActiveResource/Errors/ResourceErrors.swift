/// The problems of a record, by attribute, in the order in which they were found.
///
/// ```swift
/// if try await !person.save() { print(person.errors["name"], person.errors.fullMessages) }
/// ```
public struct ResourceErrors: Sendable, Hashable {
    /// A problem of an attribute, or of the record.
    public struct Problem: Sendable, Hashable {
        /// The attribute, such as `name`; `base` for the whole record.
        public let attribute: String
        /// The message without the attribute, such as `can't be blank`.
        public let message: String

        /// The message with the name of the attribute, such as `Name can't be blank`.
        public var fullMessage: String {
            attribute == ResourceErrors.base ? message : "\(Inflector.humanized(attribute)) \(message)"
        }
    }

    /// The name for problems of the whole record: `base`.
    public static let base = "base"

    /// All problems, in order.
    public private(set) var problems: [Problem] = []

    /// Creates an empty list.
    public init() {}

    /// Whether there are no problems.
    public var isEmpty: Bool { problems.isEmpty }
    /// The number of problems.
    public var count: Int { problems.count }
    /// All messages with the names of their attributes.
    public var fullMessages: [String] { problems.map(\.fullMessage) }

    /// The messages for an attribute; empty if it has no errors.
    public subscript(attribute: String) -> [String] {
        problems.filter { $0.attribute == attribute }.map(\.message)
    }

    /// Adds a problem.
    ///
    /// - Parameters:
    ///   - message: The message, such as `can't be blank`.
    ///   - attribute: The attribute. Defaults to the whole record.
    public mutating func add(_ message: String, to attribute: String = base) {
        problems.append(Problem(attribute: attribute, message: message))
    }

    /// Adds `can't be blank` if a text is `nil`, empty or whitespace.
    public mutating func requirePresence(of value: String?, _ attribute: String) {
        if value?.allSatisfy(\.isWhitespace) != false { add("can't be blank", to: attribute) }
    }

    /// Adds `is too short` or `is too long` if the number of characters is outside of a range.
    public mutating func requireLength(of value: String?, _ attribute: String, in range: ClosedRange<Int>) {
        let count = value?.count ?? 0
        if count < range.lowerBound { add("is too short (minimum is \(range.lowerBound) characters)", to: attribute) }
        if count > range.upperBound { add("is too long (maximum is \(range.upperBound) characters)", to: attribute) }
    }

    mutating func append(contentsOf others: ResourceErrors) { problems += others.problems }
}

extension ResourceErrors: CustomStringConvertible {
    /// The messages, separated by semicolons.
    public var description: String { fullMessages.joined(separator: "; ") }
}
