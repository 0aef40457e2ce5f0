import Foundation
import Seeder
import TestSupport
import Testing

/// For all dumps, the draft is a manifest that matches them.
@Suite struct SoundDraftTests {
    @Test(arguments: 0..<150)
    func `a draft from made-up dumps passes the check`(seed: Int) throws {
        var maker = DumpMaker(seed: UInt64(seed))
        let folder = try TemporaryDirectory()
        let files = (0..<Int.random(in: 1...3, using: &maker.generator)).map { "\(maker.key())\($0).json" }
        let names = files.map { $0.replacingOccurrences(of: "/", with: "_") }
        for name in names { try folder.write(maker.dump(), to: name) }
        let draft: ManifestDraft
        do {
            draft = try ManifestInference(dumps: names.map(folder.file), base: folder.url).run()
        } catch {
            #expect(error.description.hasSuffix("no elements to infer a manifest from"), "\(error)")
            return
        }
        try folder.write(draft.text, to: "seed.json")
        let dumps = { names.map { (try? String(contentsOf: folder.file($0), encoding: .utf8)) ?? "" } }
        do {
            let check = try ObjectSeeder.check(manifest: folder.file("seed.json"))
            #expect(check.isValid, "\(check.issues)\n\(draft.text)\n\(dumps())")
        } catch {
            Issue.record("\(error)\n\(draft.text)\n\(dumps())")
        }
    }
}

/// Creates dumps with unusual content.
private struct DumpMaker {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func dump() -> String {
        let elements = (0..<Int.random(in: 0...6, using: &generator)).map { _ in object(depth: 0) }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return object(depth: 0)
        case 1: return "{\"data\": {\"\(key())\": [\(elements.joined(separator: ","))]}, \"\(key())1\": 1}"
        case 2:
            return "{" + elements.enumerated().map { "\"\($0.offset)\": \($0.element)" }.joined(separator: ",") + "}"
        case 3:
            let wrapped = elements.map {
                "{\"\(generator.pick(["user", "task", "user_item"]))\": \($0)}"
            }
            return "[\(wrapped.joined(separator: ","))]"
        default: return "[\(elements.joined(separator: ","))]"
        }
    }

    mutating func key() -> String {
        let keys = [
            "id", "ID", "Id", "_id", "user", "users", "user_id", "userId", "tag_ids", "parent", "parent_id", "name",
            "a.b",
            "@key", "@count", "", "sqlite_x", "_mappingkit", "7", "9a", "ü", "code", "date", "url", "price", "data",
            "items",
            "value", "values", "type", "Object", "select", "\\\"", "\\\\", "a b",
        ]
        return generator.pick(keys)
    }

    mutating func object(depth: Int) -> String {
        // The draft reads one value of a duplicate key only, and reports that.
        let keys = Set((0..<Int.random(in: 0...5, using: &generator)).map { _ in key() }).sorted()
        let members = keys.map { "\"\($0)\": \(value(depth: depth + 1))" }
        return "{\(members.joined(separator: ", "))}"
    }

    mutating func value(depth: Int) -> String {
        let kinds = depth > 3 ? 12 : 16
        switch Int.random(in: 0..<kinds, using: &generator) {
        case 0: return "null"
        case 1: return "true"
        case 2, 3: return String(Int.random(in: -1...9, using: &generator))
        case 4: return "\(Double.random(in: -10...10, using: &generator))"
        case 5:
            return generator.pick([
                "1e400", "18446744073709551615", "1e2", "-0", "123456789012345678901234567890123456789012", "1.0",
            ])
        case 6: return "\"\(Int.random(in: 0...9, using: &generator))\""
        case 7:
            return generator.pick([
                "\"2026-03-02\"", "\"2026-03-02T08:30:00Z\"", "\"9999-12-31T23:59:59-05:00\"", "\"2026-02-30\"",
            ])
        case 8: return "\"f81d4fae-7dec-11d0-a765-00a0c91e6bf6\""
        case 9:
            return generator.pick([
                "\"https://example.com/a\"", "\"http://[\"", "\"12.50\"", "\"QUJDREVGR0hJSktMTU5P\"",
            ])
        case 10, 11: return generator.pick(["\"x\"", "\"AD-02\"", "\"\"", "\"a\\u0000b\"", "\"😀\""])
        case 12, 13: return object(depth: depth)
        default:
            let elements = (0..<Int.random(in: 0...3, using: &generator)).map { _ in value(depth: depth + 1) }
            let same = elements.first.map { first in
                Bool.random(using: &generator) ? elements.map { _ in first } : elements
            }
            return "[\((same ?? []).joined(separator: ", "))]"
        }
    }
}
