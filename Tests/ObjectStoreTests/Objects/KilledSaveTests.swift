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

    /// Each save inserts a song, moves one from a list to another and deletes one; attributes repeat the lists.
    @Test(arguments: killMoments(4, upTo: 80))
    func `a process that is killed during an awaited save leaves lists, columns and attributes of one save`(
        milliseconds: Int
    ) async throws {
        let folder = try TemporaryDirectory()
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = folder.path as String, milliseconds = milliseconds as Int] in
            let store = try ManagedObjectStore(at: URL(fileURLWithPath: path + "/songs.sqlite"), model: Self.music())
            let context = ObjectContext(store)
            let records = [Record(in: context), Record(in: context)]
            for (index, record) in records.enumerated() { record.recordID = index + 1 }
            DispatchQueue(label: "kill").asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
                kill(getpid(), SIGKILL)
            }
            for id in 1... {
                let song = Song(in: context)
                song.songID = id
                records[0].songs.insert(song, at: 0)
                if records[0].songs.count > 3 { records[1].songs.append(records[0].songs[3]) }
                if records[1].songs.count > 3 { context.delete(records[1].songs[0]) }
                for record in records { record.songIDs = record.songs.map(\.songID) }
                try await context.save()
            }
        }
        #expect(try SeedDatabase(at: folder.file("songs.sqlite")).damages().isEmpty)
        try Self.checkSongs(ManagedObjectStore(at: folder.file("songs.sqlite"), model: Self.music()))
    }

    private static func checkSongs(_ store: ManagedObjectStore) throws {
        let context = ObjectContext(store)
        for record in try context.fetch(Record.all) {
            #expect(record.songs.map(\.songID) == record.songIDs)
            #expect(record.songs.allSatisfy { $0.record === record })
        }
        #expect(try context.count(Song.where { $0.record == nil }) == 0)
    }

    private static func music() throws -> ObjectModel { try ObjectModel(Song.self, Record.self, Lyrics.self) }
}

/// Random moments in milliseconds at which a process is killed; `MAPPINGKIT_KILLS` sets their number.
func killMoments(_ count: Int, upTo milliseconds: Int) -> [Int] {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["MAPPINGKIT_KILLS"].flatMap { Int($0) } ?? count
    var generator = SeededGenerator(seed: environment["MAPPINGKIT_SEED"].flatMap { Int($0) } ?? 1)
    return (0..<count).map { _ in Int.random(in: 1...milliseconds, using: &generator) }
}
