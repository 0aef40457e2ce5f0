import Foundation

/// One example of the catalog: a name to run it by, and a story that prints what goes in, what is declared, what comes out.
struct Example: Sendable {
    let name: String
    let group: String
    let summary: String
    /// The file that holds the example, as it was when the catalog was built.
    let file: String
    private let story: @Sendable (Narrator) async throws -> Void

    init(
        _ name: String, group: String, _ summary: String, file: String = #filePath,
        story: @escaping @Sendable (Narrator) async throws -> Void
    ) {
        self.name = name
        self.group = group
        self.summary = summary
        self.file = file
        self.story = story
    }

    /// Runs the example.
    func run() async throws {
        print("\(name): \(summary)")
        try await story(Narrator(source: source))
    }

    /// The code of the example; where it should be, if it is not there any more.
    var source: Source { Source(file: file) }
}
