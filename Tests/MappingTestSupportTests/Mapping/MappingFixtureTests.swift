import Foundation
import MappingTestSupport
import ObjectMapping
import TestSupport
import Testing

@Suite("Fixtures of mappings")
struct MappingFixtureTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("Fixtures"), withIntermediateDirectories: true)
        try Data("{\"id\": 1}".utf8).write(to: folder.file("one.json"))
        try Data("{\"id\": 2}".utf8).write(to: folder.file("Fixtures/two.ndjson"))
    }

    @Test func `a fixture is found next to the test file, or in its folder of fixtures`() throws {
        let test = folder.file("SomeTests.swift").path
        #expect(try JSON(MappingFixture(named: "one", beside: test))["id"].int == 1)
        #expect(try JSON(MappingFixture(named: "two.ndjson", beside: test))["id"].int == 2)
        #expect(try MappingFixture(named: "one.json", in: folder.url).file == folder.file("one.json"))
    }

    @Test func `a missing fixture is an error that lists the searched paths`() {
        let test = folder.file("SomeTests.swift").path
        func cause(_ body: () throws -> MappingFixture) -> String {
            do {
                return "\(try body().file)"
            } catch {
                return "\(error)"
            }
        }
        #expect(
            cause { try MappingFixture(named: "three", beside: test) } == """
                \(folder.file("three.json").path): file not found; also searched: \(folder.file("Fixtures/three.json").path)
                """)
        #expect(
            cause { try MappingFixture(named: "three.json", in: folder.url) }
                == "\(folder.file("three.json").path): file not found")
        #expect(
            cause { try MappingFixture(named: "three.json", in: nil) }.hasSuffix(
                "three.json: the folder is nil"))
    }
}
