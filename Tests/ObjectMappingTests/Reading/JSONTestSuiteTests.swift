import Foundation
import ObjectMapping
import Testing

/// The public suite nst/JSONTestSuite; `JSON_TEST_SUITE` names a checkout of it.
private let suite = ProcessInfo.processInfo.environment["JSON_TEST_SUITE"]

@Suite(.enabled(if: suite != nil, "JSON_TEST_SUITE names no checkout of https://github.com/nst/JSONTestSuite"))
struct JSONTestSuiteTests {
    private static func files(_ prefix: String) throws -> [(name: String, bytes: [UInt8])] {
        let folder = URL(fileURLWithPath: suite ?? "").appendingPathComponent("test_parsing")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasPrefix(prefix) }
            .map { ($0, Array(try Data(contentsOf: folder.appendingPathComponent($0)))) }
    }

    /// Whether a text is JSON to each of the readers: tree, walker, typed mapping, and rows through small windows.
    private static func verdicts(_ bytes: [UInt8]) throws -> [String: Bool] {
        func isRead(_ body: () throws -> Void) -> Bool {
            do { try body() } catch { return (error as? MappingError)?.isSyntax != true }
            return true
        }
        let text = try GuardedText(bytes)
        let nothing = Mapping({ 0 }) {}
        let plan = try RowPlan(entities: [RowEntity(name: "E", attributes: [column("id")], relationships: [])])
        var verdicts = [
            "tree": isRead { _ = try JSON(text) },
            "walker": text.withJSONView { JSONTokenizer.firstIssue(in: $0) == nil },
            "map": isRead { _ = try nothing.map(text) },
            "mapAll": isRead { _ = try nothing.mapAll(text) },
            "mapAll(at:)": isRead { _ = try nothing.mapAll(text, at: "a.b") },
        ]
        for (window, chunk) in [(16, 1), (16, 7), (64, 64), (4096, 4096)] {
            for path in ["", "a"] as [JSONKeyPath] {
                verdicts["rows at '\(path)', \(window) by \(chunk)"] = isRead {
                    let source = ByteChunks(bytes, by: chunk)
                    let reader = try RowReader(
                        source: source, plan: plan, entity: 0, at: path, shape: .element, windowSize: window)
                    while try reader.next() != nil {}
                }
            }
        }
        return verdicts
    }

    @Test func `Every valid text is accepted`() throws {
        let files = try Self.files("y_")
        #expect(files.count == 95)
        for (name, bytes) in files {
            let refusing = try Self.verdicts(bytes).filter { !$0.value }.keys.sorted()
            #expect(refusing == [], "\(name)")
        }
    }

    @Test func `Every invalid text is refused`() throws {
        let files = try Self.files("n_")
        #expect(files.count == 188)
        for (name, bytes) in files {
            let accepting = try Self.verdicts(bytes).filter(\.value).keys.sorted()
            #expect(accepting == [], "\(name)")
        }
    }

    @Test func `All readers agree on implementation-defined texts`() throws {
        let files = try Self.files("i_")
        #expect(files.count == 35)
        for (name, bytes) in files {
            let verdicts = try Self.verdicts(bytes)
            #expect(Set(verdicts.values).count == 1, "\(name): \(verdicts)")
        }
    }
}
