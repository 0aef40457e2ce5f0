import Dispatch
import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct KilledSaveTests {
    /// Each save inserts an album with its only track.
    @Test(arguments: [5, 20, 45, 80]) func `a process that is killed while it saves leaves whole saves only`(
        milliseconds: Int
    ) async throws {
        let folder = try TemporaryDirectory()
        let file = folder.file("albums.sqlite")
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = folder.path as String, milliseconds = milliseconds as Int] in
            let store = try ManagedObjectStore(
                at: URL(fileURLWithPath: path + "/albums.sqlite"), model: ObjectModel(Album.self, Track.self))
            DispatchQueue(label: "kill").asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
                kill(getpid(), SIGKILL)
            }
            var count = 0
            while count < Int.max {
                try await store.perform { context in
                    Album(in: context).tracks = [Track(in: context)]
                    try context.save()
                }
                count += 1
                try Data("\(count)".utf8).write(to: URL(fileURLWithPath: path + "/acknowledged"), options: .atomic)
            }
        }
        let acknowledged =
            (try? String(contentsOf: folder.file("acknowledged"), encoding: .utf8)).flatMap { Int($0) } ?? 0
        let seed = try SeedDatabase(at: file)
        #expect(try seed.damages().isEmpty)
        let albums = try seed.count(of: "Album")
        #expect(albums == acknowledged || albums == acknowledged + 1)
        #expect(try seed.value(sql: "SELECT count(*) FROM Track WHERE album IS NOT NULL")?.integer == Int64(albums))
    }
}
