import Foundation
import TestSupport
import Testing

/// `make demo`, with a smaller dump than its default.
@Suite struct Demo {
    @Test func `the demo prints at most sixty lines and leaves no files`() throws {
        let folder = try TemporaryDirectory()
        let result = try RunningProcess(
            resource("scripts/demo"), arguments: [productsDirectory.path, "2000"], environment: ["TMPDIR": folder.path]
        ).wait()
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors == "")
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 60)
        #expect(result.output.contains("7. 2,000 generated tasks"))
        #expect(result.output.contains("Both databases have the same rows."))
        #expect(result.output.contains("exit status 65"))
        #expect(result.output.contains("film: kettle, the film.mp4 (video/mp4) 3000000 bytes, SHA-256 equal"))
        #expect(result.output.contains("truncatedResponse, after 300000 bytes"))
        #expect(try folder.names == [])
    }

    @Test func `generated dumps are the same every time`() throws {
        let folder = try TemporaryDirectory()
        for name in ["a", "b"] {
            let script = resource("scripts/generate-dumps")
            let result = try RunningProcess(script, arguments: ["120", folder.file(name).path]).wait()
            #expect(result.status == 0, "\(result.errors)")
        }
        for name in ["users.json", "tasks.json", "seed.json"] {
            #expect(try folder.data(of: "a/\(name)") == folder.data(of: "b/\(name)"))
        }
        let tasks = try #require(
            try JSONSerialization.jsonObject(with: folder.data(of: "a/tasks.json")) as? [[String: Any]])
        let users = try #require(
            try JSONSerialization.jsonObject(with: folder.data(of: "a/users.json")) as? [[String: Any]])
        #expect(tasks.count == 120)
        #expect(users.count == 3)
        let known = Set(users.compactMap { $0["id"] as? Int })
        #expect(tasks.count { !known.contains($0["assigned_user_id"] as? Int ?? -1) } == 1)
    }
}
