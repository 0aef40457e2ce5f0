package import ObjectMapping

/// Why entities do not make a model: every problem, in the order of the entities.
public struct ModelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One thing that is wrong.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The place in the model's JSON form, from the entity's name on.
        package let steps: [JSONPathStep]
        /// What is wrong, in words.
        public let message: String
        /// Names near the one that was not found, best first; empty if nothing is near.
        public let suggestions: [String]

        package init(_ steps: [JSONPathStep], _ message: String, suggestions: [String] = []) {
            self.steps = steps
            self.message = message
            self.suggestions = suggestions
        }

        /// The place, as `$.Task.relationships.assignedUser.by`.
        public var path: String { steps.text }

        /// The place, what is wrong, and the nearest name.
        public var description: String {
            "\(path): \(message)" + (suggestions.first.map { "; did you mean '\($0)'?" } ?? "")
        }
    }

    /// What is wrong; never empty.
    public let problems: [Problem]

    package init(_ problems: [Problem]) { self.problems = problems }

    /// The problems, one a line.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
