import Foundation
import TestSupport
import Testing

/// The files of the repository for external services.
@Suite struct Repository {
    @Test(arguments: ["ci", "nightly"]) func `a workflow runs scripts of the repository only`(_ name: String) throws {
        let workflow = try resourceText(".github/workflows/\(name).yml")
        let commands = workflow.matches(of: /\brun: (\S*)/).map { String($0.1) }
        #expect(!commands.isEmpty)
        for command in commands { #expect(Layout.scripts.contains(command), "\(command)") }
    }

    @Test func `no two files have names that differ only by case or Unicode form, which a Mac considers equal`() throws
    {
        let files = try #require(FileManager.default.enumerator(atPath: packageRoot.path))
        var names: [String: String] = [:]
        while let path = files.nextObject() as? String {
            if path == ".git" || path.hasSuffix(".build") { files.skipDescendants() }
            let other = names.updateValue(path, forKey: path.lowercased().precomposedStringWithCanonicalMapping)
            #expect(other == nil, "\(path)")
        }
        #expect(names.count > 1000)
    }

    @Test func `the documentation of every library is published`() throws {
        let manifest = try resourceText("Package.swift")
        let products = manifest.matches(of: /\.library\(\s*name: "(\w+)"/).map { $0.1 }
            .filter { FileManager.default.fileExists(atPath: resource("Sources/\($0)").path) }
        let list = try #require(try resourceText(".spi.yml").firstMatch(of: /documentation_targets: \[(.*)\]/)?.1)
        #expect(products.count >= 5)
        #expect(Set(products) == Set(list.split(separator: ", ")))
    }

    @Test func `the privacy manifest declares the functions that the sources call`() throws {
        let data = try resourceData("Sources/MappingPrivacyManifest/PrivacyInfo.xcprivacy")
        let manifest = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        let declared = manifest?["NSPrivacyAccessedAPITypes"] as? [[String: Any]] ?? []
        let functions: [(category: String, calls: Regex)] = [
            ("FileTimestamp", try Regex(#"\b(f|l)?stat\(|getattrlist|modificationDate|creationDate"#)),
            ("SystemBootTime", try Regex(#"systemUptime|mach_absolute_time"#)),
            ("DiskSpace", try Regex(#"\bf?statv?fs\(|volumeAvailableCapacity|systemFreeSize"#)),
            ("UserDefaults", try Regex(#"\bUserDefaults\b"#)),
            ("ActiveKeyboards", try Regex(#"activeInputModes"#)),
        ]
        let called = functions.filter { function in
            Layout.sources.contains { $0.lines.contains { $0.contains(function.calls) } }
        }
        #expect(!called.isEmpty)
        #expect(
            declared.compactMap { $0["NSPrivacyAccessedAPIType"] as? String }
                == called.map { "NSPrivacyAccessedAPICategory" + $0.category })
        for use in declared { #expect((use["NSPrivacyAccessedAPITypeReasons"] as? [String])?.isEmpty == false) }
    }

    @Test func `a nightly check that does not exist is an error that lists the checks`() throws {
        let result = try RunningProcess(resource(".ci/nightly"), arguments: ["everything"]).wait()
        #expect(result.status == 64)
        #expect(result.errors == "usage: .ci/nightly sanitize|faults|fuzz|check-examples|check-apple [ARGUMENT…]\n")
    }

    @Test func `faults refuses a server that does not exist`() throws {
        let result = try RunningProcess(
            resource("scripts/faults"), arguments: ["F10"], environment: ["CHAOS_SERVER": "/nonexistent/server.py"]
        ).wait()
        #expect(result.status == 66)
        #expect(result.errors == "faults: CHAOS_SERVER=/nonexistent/server.py: no such file\n")
    }
}
