import Foundation
import TestSupport
import Testing

/// The speed figures of the README are measured: `make bench` writes them to `Benchmarks/RESULTS.md` and to the README.
@Suite struct BenchmarkFigures {
    /// The summaries of a page by their names, as marked by `Benchmarks/runner/results.py`.
    private static func summaries(of page: String) throws -> [String: String] {
        let blocks = try resourceText(page).matches(
            of: /(?s)<!-- summary: (\w+) -->\n(.*?)\n<!-- end of summary -->/)
        return Dictionary(blocks.map { (String($0.1), String($0.2)) }, uniquingKeysWith: { first, _ in first })
    }

    @Test func `the summaries in the README are those of the results`() throws {
        let results = try Self.summaries(of: "Benchmarks/RESULTS.md")
        let shown = try Self.summaries(of: "README.md")
        #expect(!shown.isEmpty)
        for (name, text) in shown {
            #expect(text == results[name], "\(name): run make bench, or take the text from Benchmarks/RESULTS.md")
        }
    }

    @Test func `the README has no speed figures except those of the summaries`() throws {
        let text = try resourceText("README.md").replacing(
            /(?s)<!-- summary: \w+ -->\n.*?\n<!-- end of summary -->/, with: "")
        let start = try #require(text.range(of: "\n## Speed\n"))
        let rest = text[start.upperBound...]
        let section = rest[..<(rest.range(of: "\n## ")?.lowerBound ?? rest.endIndex)]
        let figures = section.matches(of: /\d+\.\d+|\d+ (times|MB|ms|µs|%)/).map { String($0.0) }
        #expect(figures.isEmpty, "not from Benchmarks/RESULTS.md: \(figures)")
    }

    @Test func `every section of the results names the commit that was measured`() throws {
        let sections = try resourceText("Benchmarks/RESULTS.md").components(separatedBy: "\n## ").dropFirst()
        #expect(!sections.isEmpty)
        for section in sections {
            #expect(section.contains(/commit\s+`[0-9a-f]{40}`/), "\(section.prefix { $0 != "\n" })")
        }
    }
}
