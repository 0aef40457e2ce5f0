import TestSupport
import Testing

/// The folders of a module depend on folders of lower floors only.
@Suite("Floors of modules") struct FloorTests {
    /// The folders of modules from the lowest floor to the highest; those of one floor may depend on each other if they
    /// are joined by an ampersand.
    private static let floors: [(module: String, floors: [String])] = [
        (
            "RequestQueue",
            [
                "HTTP Concurrency Memory", "Cookies", "Response", "Files Body Retry Lifecycle Reachability",
                "Params Security", "Transport", "Authentication Cache", "Settings", "Request", "Exchange",
                "Client Queue",
            ]
        ), ("ObjectLoading", ["Routing", "Descriptors", "Offline", "Manager", "Lists Rails", "Remote"]),
        (
            "ObjectStore",
            [
                "SQLite&Errors", "Model", "Objects&Classes&Memory&System", "Entities", "Commits", "Connections", "Rows",
                "Contexts&Queries&Store&Remote&Migration", "Input Observation ActiveRecord", "Import Seed Upgrade",
            ]
        ),
        (
            "Seeder",
            [
                "Errors System", "Report Files Manifest Naming", "Input&Progress", "Output",
                "ModelSources Inference Difference Build", "Check",
            ]
        ),
    ]

    /// Files whose place is fixed for another reason.
    private static let exceptions: Set = [
        // Linux compiles the folder of URLSession in a module of its own.
        "RequestQueue/Transport/URLSession/RESTRequest+URLRequest.swift",
        // An object refers to its context.
        "ObjectStore/Objects/ManagedObject.swift",
        // A model refers to the classes that it was made from.
        "ObjectStore/Model/ObjectModel.swift", "ObjectStore/Model/ModelValidator.swift",
    ]

    @Test(arguments: floors) func `Folders depend on lower floors only`(_ module: String, _ floors: [String]) {
        let files = Layout.sources.filter { $0.path.hasPrefix(module + "/") }.map(SourceText.init)
        var owners: [String: [SourceText]] = [:]
        for file in files { for name in file.declared { owners[name, default: []].append(file) } }
        var place: [String: (floor: Int, group: String)] = [:]
        for (floor, groups) in floors.enumerated() {
            for group in groups.split(separator: " ") {
                for folder in group.split(separator: "&") { place[String(folder)] = (floor, String(group)) }
            }
        }
        var upward: [String] = []
        for file in files where !file.folder.isEmpty && !Self.exceptions.contains(file.path) {
            guard let from = place[file.folder] else {
                Issue.record("\(module)/\(file.folder) has no floor")
                continue
            }
            for name in file.used.sorted() {
                guard let owner = owners[name], owner.count == 1, let to = place[owner[0].folder],
                    owner[0].folder != file.folder
                else { continue }
                if to.floor < from.floor || to == from && from.group.contains("&") { continue }
                upward.append("\(file.path) uses \(name) of \(owner[0].folder)")
            }
        }
        #expect(upward.isEmpty, "\(upward.joined(separator: "\n"))")
        #expect(files.count > place.count && owners.count > place.count)
    }
}

/// The types that a file declares and uses, found by their names.
private struct SourceText {
    let path: String
    /// The first folder below the module; empty for files of the module itself.
    let folder: String
    var declared: Set<String> = []
    var used: Set<String> = []

    init(_ file: Layout.SourceFile) {
        path = file.path
        let parts = file.path.split(separator: "/")
        folder = parts.count > 2 ? String(parts[1]) : ""
        for line in file.lines {
            let code = Self.code(line)
            let words = code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            let named = words.filter { $0.first?.isUppercase == true }
            // Nested types are indented further than the declarations of a conditional file.
            let indent = line.prefix { $0 == " " }.count
            if indent <= 4, !words.contains(where: { ["private", "fileprivate", "extension"].contains($0) }),
                let kind = words.firstIndex(where: {
                    ["struct", "class", "enum", "actor", "protocol", "typealias"].contains($0)
                }), kind + 1 < words.count, indent == 0 || file.lines.first?.hasPrefix("#if") == true
            {
                declared.insert(String(words[kind + 1]))
            }
            used.formUnion(named.map(String.init))
        }
    }

    /// A line without its comment and the texts of its string literals.
    private static func code(_ line: Substring) -> Substring {
        let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
        let parts = code.split(separator: "\"", omittingEmptySubsequences: false)
        return Substring(stride(from: 0, to: parts.count, by: 2).map { parts[$0] }.joined(separator: " "))
    }
}
