package import ObjectMapping

/// The reason why a model is invalid: all problems, in the order of the entities.
public struct ModelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A problem of a model.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The path in the model's JSON form, starting with the entity's name.
        package let steps: [JSONPathStep]
        /// The message.
        public let message: String
        /// Names similar to a missing one, best first; empty if no name is similar.
        public let suggestions: [String]

        package init(_ steps: [JSONPathStep], _ message: String, suggestions: [String] = []) {
            self.steps = steps
            self.message = message
            self.suggestions = suggestions
        }

        /// The path in text form, such as `$.Task.relationships.assignedUser.by`.
        public var path: String { steps.text }

        /// The path, the message, and the most similar name.
        public var description: String {
            "\(path): \(message)\(suggestionText(suggestions))"
        }
    }

    /// The problems; not empty.
    public let problems: [Problem]

    package init(_ problems: [Problem]) { self.problems = problems }

    /// The problems, one per line.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
