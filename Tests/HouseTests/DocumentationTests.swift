import Foundation
import TestSupport
import Testing

/// `scripts/docs` on a package of one module.
@Suite struct Documentation {
    /// A module, a page of its catalog, and the expected messages of the script.
    struct Package: CustomTestStringConvertible {
        var testDescription: String
        var source: String
        var page: String
        var status: Int32
        var report: String
    }

    static let packages = [
        Package(
            testDescription: "all documented",
            source: """
                /// A cup.
                public struct Cup: Equatable, CustomStringConvertible {
                    /// How it is called.
                    public var description: String { "cup" }
                    var size = 1
                }
                """,
            page: "- ``Cup``", status: 0,
            report: "Crockery                2 of    2 public symbols are documented (100 %)\n"),
        Package(
            testDescription: "a case without a comment, a type that no page names",
            source: """
                /// A cup.
                public struct Cup {
                    /// What it is for.
                    public enum Use: Hashable {
                        /// Hot.
                        case tea
                        case coffee
                    }
                }
                extension Int { public var cups: Int { self } }
                """,
            page: "Nothing.", status: 1,
            report: """
                Crockery                3 of    5 public symbols are documented (60 %)
                  Sources/Crockery/Crockery.swift:7: error: Cup.Use.coffee is not documented
                  Sources/Crockery/Crockery.swift:10: error: Int.cups is not documented
                  Sources/Crockery/Documentation.docc/Crockery.md: error: Cup is not named

                """),
    ]

    @Test(.enabled(if: hasDocC), arguments: packages)
    func `public declarations without a comment are named`(_ package: Package) async throws {
        let result = try await documented(package)
        #expect(result.status == package.status)
        let report = result.output.components(separatedBy: "They are in ")
        #expect(report.first == package.report)
        #expect(report.count == 2)
    }

    @Test(.enabled(if: hasDocC)) func `a dead link is an error of the script`() async throws {
        let result = try await documented(
            Package(
                testDescription: "", source: "/// See ``Saucer``.\npublic struct Cup {}", page: "- ``Cup``", status: 1,
                report: ""))
        #expect(result.status == 1)
        #expect(result.output.contains("'Saucer' doesn't exist"))
    }

    private static let hasDocC: Bool = {
        let found: ProcessResult? = try? runShell("command -v docc || xcrun --find docc")
        return isAvailable(found?.status == 0, otherwise: "the toolchain has no docc: its script is not tested")
    }()

    private func documented(_ package: Package) async throws -> ProcessResult {
        let folder = try TemporaryDirectory()
        try folder.write(package.source + "\n", to: "Sources/Crockery/Crockery.swift")
        try folder.write(
            "# ``Crockery``\n\n## Topics\n\n### All\n\n\(package.page)\n",
            to: "Sources/Crockery/Documentation.docc/Crockery.md")
        try folder.write(try resourceData("scripts/docs"), to: "scripts/docs")
        return try await runShell(
            """
            mkdir -p bin/Modules && swiftc -emit-module -parse-as-library -module-name Crockery \\
                -o bin/Modules/Crockery.swiftmodule Sources/Crockery/Crockery.swift && bash scripts/docs bin
            """,
            directory: folder.url)
    }
}
