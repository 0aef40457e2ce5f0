import Foundation
import ObjectMapping
import TestSupport
import Testing

/// Operations on a value are not recursive: they work at any depth, with a small stack.
@Suite struct JSONDepthTests {
    @Test func `A value of a million levels is freed on a small stack`() throws {
        let kinds = try onSmallStack {
            var json: JSON = ["end": true]
            for level in 0..<1_000_000 { json = level.isMultiple(of: 2) ? [json] : ["a": json] }
            return json.array == nil ? 1 : 0
        }
        #expect(kinds == 1)
    }

    @Test func `Deep values are compared, hashed and written on a small stack`() throws {
        let isSame = try onSmallStack {
            func nested(_ end: JSON) -> JSON {
                var json = end
                for level in 0..<100_000 { json = level.isMultiple(of: 2) ? [1, json] : ["a": json, "b": .null] }
                return json
            }
            let (a, b) = (nested(1), nested(1))
            let text = a.text
            return a == b && a != nested(2) && a.hashValue == b.hashValue && text.utf8.count > 900_000
                && text == b.text
        }
        #expect(isSame)
    }

    @Test func `A key path goes through nested arrays on a small stack`() throws {
        let found = try onSmallStack {
            var json: JSON = ["a": 1]
            for _ in 0..<100_000 { json = [json] }
            return try json.value(at: "a")
        }
        var value = found ?? .null
        var depth = 0
        while let inner = value.array?.first {
            value = inner
            depth += 1
        }
        #expect(depth == 100_000)
        #expect(value == 1)
    }

    @Test func `Text of the maximum depth is parsed, printed and decoded on a small stack`() throws {
        let text = String(repeating: "[", count: 1024) + String(repeating: "]", count: 1024)
        let isSame = try onSmallStack {
            let json = try JSON(text, maximumDepth: 1024)
            let printed = try JSON(json.prettyPrinted, maximumDepth: 1024)
            return try json.text == text && printed == json && json.value(at: "") == json
        }
        #expect(isSame)
        #expect(throws: MappingError.self) { try JSON("[" + text + "]", maximumDepth: 2000) }
    }

    @Test func `A key path of many operators needs little stack`() throws {
        let path = JSONKeyPath(repeatElement("@unionOfArrays", count: 100).joined(separator: "."))
        var json: JSON = [[1]]
        for _ in 0..<200 { json = [json] }
        let value = json
        #expect(try onSmallStack(kilobytes: 512) { try value.value(at: path) != nil })
    }
}
