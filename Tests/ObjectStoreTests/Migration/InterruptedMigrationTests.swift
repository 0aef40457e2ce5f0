import Dispatch
import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Migrations that a killed process or a full disk ends.
@Suite struct `Interrupted migrations` {
    private static let old = [
        EntityDescription("Row", [.string("text"), .integer("value"), .integer("other")])
    ]
    private static let new = [
        EntityDescription(
            "Line",
            [.string("words", was: "text"), AttributeDescription("value", AttributeType(.string), isIndexed: true)],
            was: ["Row"])
    ]

    private static func fill(_ count: Int) -> String {
        """
        WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO Row SELECT i, i, 'the text of the row with the number ' || i, i * 3, i FROM n
        """
    }

    /// Checks that a file has either model with all rows, and no damage.
    private func check(_ file: MigratedFile, rows: Int) throws {
        let seed = try SeedDatabase(at: file.url)
        #expect(try seed.damages() == [])
        let isOld = seed.entities == ["Row"]
        #expect(isOld || seed.entities == ["Line"])
        let sum = isOld ? "sum(value + other)" : "sum(value) / 3 * 4"
        let values = try seed.rows(sql: "SELECT count(*), \(sum) FROM \(seed.entities[0])")[0].values
        #expect(values[0] == .integer(Int64(rows)) && values[1].double == Double(rows * (rows + 1) * 2))
    }

    @Test(arguments: killMoments(6, upTo: 120)) func `by a kill leave the old or the new file`(milliseconds: Int)
        async throws
    {
        let file = try MigratedFile(Self.old, Self.fill(30_000))
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = file.url.path as String, milliseconds = milliseconds as Int] in
            DispatchQueue(label: "kill").asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
                kill(getpid(), SIGKILL)
            }
            let store = try ManagedObjectStore(at: URL(fileURLWithPath: path), model: ObjectModel(entities: Self.new))
            withExtendedLifetime(store) { while true { pause() } }
        }
        try check(file, rows: 30_000)
        try file.migrate(to: Self.new).close()
        try file.expectComplete(Self.new)
        try check(file, rows: 30_000)
    }

    #if os(Linux)
        @Test(.enabled(if: isAvailable(MountedDisk.problem == nil, otherwise: MountedDisk.problem ?? "")))
        func `by a full disk leave the old file, and succeed after space is freed`() throws {
            let disk = try MountedDisk(size: "8m")
            let file = try MigratedFile(Self.old, Self.fill(20_000))
            let url = disk.folder.file("app.sqlite")
            try FileManager.default.copyItem(at: file.url, to: url)
            try disk.fill(except: 400)
            let error = #expect(throws: StoreError.self) {
                try ManagedObjectStore(at: url, model: ObjectModel(entities: Self.new))
            }
            #expect(error?.kind == .full)
            let seed = try SeedDatabase(at: url)
            #expect(try seed.entities == ["Row"] && seed.count(of: "Row") == 20_000)
            #expect(try seed.damages() == [])
            try FileManager.default.removeItem(at: disk.folder.file("ballast"))
            let store = try ManagedObjectStore(at: url, model: ObjectModel(entities: Self.new))
            #expect(try store.count(of: "Line") == 20_000)
        }
    #endif
}
