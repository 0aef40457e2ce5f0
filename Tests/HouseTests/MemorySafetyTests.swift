import Foundation
import TestSupport
import Testing

/// Unsafe code is marked by the word `unsafe`, which the compiler requires, and is limited to reviewed folders.
@Suite struct MemorySafety {
    /// Folders in which unsafe code is allowed, at any level of `Sources`.
    private static let folders: Set<String> = ["Memory", "SQLite", "System"]
    /// The allowed number of uses of the word in these folders.
    private static let limit = 500

    private struct Use: CustomStringConvertible {
        let file: String
        let line: Int

        var isAllowed: Bool { !folders.isDisjoint(with: file.split(separator: "/").dropLast().map(String.init)) }
        var description: String { "\(file):\(line)" }
    }

    /// The uses of the word in Swift code, without comments.
    private static let uses = Result {
        let folder = resource("Sources")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        return try paths.sorted().flatMap { path in
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
                let uses = code(of: line).matches(of: /\bunsafe\b/)
                return uses.map { _ in Use(file: "Sources/" + path, line: index + 1) }
            }
        }
    }

    /// A line without its comment; `//` after a colon is a part of a URL.
    private static func code(of line: Substring) -> Substring {
        var searched = line.startIndex
        while let start = line[searched...].firstRange(of: "//")?.lowerBound {
            guard start > line.startIndex, line[line.index(before: start)] == ":" else { return line[..<start] }
            searched = line.index(after: start)
        }
        return line
    }

    @Test func `unsafe code is only in folders named Memory, SQLite or System`() throws {
        let others = try Self.uses.get().filter { !$0.isAllowed }
        #expect(others.isEmpty, "unsafe code elsewhere:\n\(others.map(\.description).joined(separator: "\n"))")
    }

    @Test func `there is little unsafe code`() throws {
        let uses = try Self.uses.get()
        #expect(!uses.isEmpty)
        let counts = Dictionary(grouping: uses, by: \.file).map { "\($0.key): \($0.value.count)" }.sorted()
        #expect(uses.count <= Self.limit, "\(uses.count) uses of unsafe:\n\(counts.joined(separator: "\n"))")
    }
}
