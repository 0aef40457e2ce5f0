import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Connections by keys whose targets are in a later seed.
@Suite struct PendingUpgradeTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private static func model() throws -> ObjectModel {
        try ObjectModel(Song.self, Record.self, Playlist.self, Lyrics.self)
    }

    private func importAll(_ store: ManagedObjectStore, songs: [Int], lists: [Int: [Int]]) async throws {
        func text(_ name: String, _ values: [Int]) -> String { #""\#(name)": \#(values)"# }
        let playlists = lists.sorted { $0.key < $1.key }.map { #"{"id": \#($0.key), \#(text("songs", $0.value))}"# }
        let records = #"[{"id": 1, \#(text("songs", Array(songs.prefix(2)) + [9]))}]"#
        let all = songs.map { #"{"id": \#($0)}"# }
        let lyrics = songs.map { #"{"id": \#($0), "song": \#($0 + 1)}"# }
        func data(_ elements: [String]) -> Data { Data("[\(elements.joined(separator: ","))]".utf8) }
        _ = try await store.importJSON(data(lyrics), with: Lyrics.mapping)
        _ = try await store.importJSON(data(playlists), with: Playlist.mapping)
        _ = try await store.importJSON(Data(records.utf8), with: Record.mapping)
        _ = try await store.importJSON(data(all), with: Song.mapping)
    }

    private func seed(_ name: String, songs: [Int], lists: [Int: [Int]]) async throws -> URL {
        let url = folder.file(name)
        let store = try ManagedObjectStore(at: url, model: Self.model())
        try await importAll(store, songs: songs, lists: lists)
        try store.checkpoint()
        store.close()
        return url
    }

    @Test func `connections that wait are set when a seed brings their targets`() async throws {
        let first = try await seed("first.sqlite", songs: [1, 3], lists: [1: [1, 2]])
        var options = ManagedObjectStore.Options()
        options.keepsSeededValues = true
        let url = folder.file("user.sqlite")
        let store = try await ManagedObjectStore.open(at: url, model: Self.model(), seed: first, options: options)
        // A list of the user waits for a song as well.
        _ = try await store.importJSON(
            Data(#"[{"id": 100, "songs": [3, 2, 4]}]"#.utf8), with: Playlist.mapping)
        let context = ObjectContext(store)
        func songs(_ list: Int) throws -> [Int] {
            try #require(try context.find(Playlist.self, list)).songs.map(\.songID)
        }
        #expect(try songs(1) == [1] && songs(100) == [3])
        let second = try await seed("second.sqlite", songs: [3, 2, 1], lists: [1: [2, 1], 2: [3, 7]])
        let report = try await store.upgradeSeed(to: second)
        #expect(try songs(1) == [2, 1], "\(report)")
        #expect(try songs(2) == [3])
        #expect(Set(try songs(100)) == [2, 3])
        let record = try #require(try await context.find(Record.self, 1))
        #expect(Set(record.songs.map(\.songID)) == [2, 3])
        #expect(try await context.find(Lyrics.self, 1)?.song?.songID == 2)
        #expect(try await context.find(Song.self, 3)?.lyrics?.lyricsID == 2)
        // Those that still wait are set by an import.
        _ = try await store.importJSON(Data(#"[{"id": 4}, {"id": 7}]"#.utf8), with: Song.mapping)
        #expect(try Set(songs(100)) == [2, 3, 4] && Set(songs(2)) == [3, 7])
        #expect(try await context.find(Lyrics.self, 3)?.song?.songID == 4)
        #expect(try SeedDatabase(at: url).damages().isEmpty)
    }
}
