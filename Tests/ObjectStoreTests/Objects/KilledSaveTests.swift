import Dispatch
import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct KilledSaveTests {
    /// Each save inserts an album with its only track.
    @Test(arguments: killMoments(4, upTo: 80)) func `a process that is killed during a save leaves complete saves only`(
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

/// Random moments in milliseconds at which a process is killed; `MAPPINGKIT_KILLS` sets their number.
func killMoments(_ count: Int, upTo milliseconds: Int) -> [Int] {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["MAPPINGKIT_KILLS"].flatMap { Int($0) } ?? count
    var generator = SeededGenerator(seed: environment["MAPPINGKIT_SEED"].flatMap { Int($0) } ?? 1)
    return (0..<count).map { _ in Int.random(in: 1...milliseconds, using: &generator) }
}
