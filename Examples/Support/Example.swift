/// One example of the catalog: a name to run it by, and a story that prints its input, its declarations and its output.
///
/// The file of an example can be copied into another package. There a `main.swift` runs it:
///
/// ```swift
/// import ExampleSupport
///
/// try await keyValueMapping.run()
/// ```
public struct Example: Sendable {
    /// The name that runs it.
    public let name: String
    /// The heading under which it is listed.
    public let group: String
    /// What it shows, in a line.
    public let summary: String
    /// Options that the example accepts after its name.
    public let options: [String]
    /// The path of the file that declares the example.
    public let file: String
    private let story: @Sendable (Narrator) async throws -> Void

    /// Declares an example.
    public init(
        _ name: String, group: String, _ summary: String, options: [String] = [], file: String = #filePath,
        story: @escaping @Sendable (Narrator) async throws -> Void
    ) {
        self.name = name
        self.group = group
        self.summary = summary
        self.options = options
        self.file = file
        self.story = story
    }

    /// Runs the example.
    public func run() async throws {
        print("\(name): \(summary)")
        try await story(Narrator(source: source))
    }

    /// The code of the example.
    public var source: Source { Source(file: file) }
}
