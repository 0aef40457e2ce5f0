import Foundation
import TestSupport
import Testing

@testable import ObjectStore

private final class OwnSong: ManagedObject {
    @Stored(.identity) var number = 0
}

private final class OwnPlaylist: ManagedObject {
    @Stored(.identity) var number = 0
    @ToMany(inverse: nil, isOrdered: true) var songs: [OwnSong]
}

@Suite struct `Lists of a user's own objects` {
    private let folder: TemporaryDirectory
    private let model: ObjectModel

    init() throws {
        folder = try TemporaryDirectory()
        model = try ObjectModel(OwnPlaylist.self, OwnSong.self)
    }

    private func seed(_ name: String, _ lists: [Int: [Int]]) async throws -> URL {
        let url = folder.file(name)
        let store = try await ManagedObjectStore.open(at: url, model: model)
        try await store.perform { context in
            for number in 1...9 { OwnSong(in: context).number = number }
            for (number, songs) in lists {
                let list = OwnPlaylist(in: context)
                list.number = number
                list.songs = try songs.compactMap { try context.find(OwnSong.self, $0) }
            }
            try context.save()
        }
        store.close()
        return url
    }

    @Test func `keep their members if a later seed has the same object`() async throws {
        var options = ManagedObjectStore.Options()
        options.keepsSeededValues = true
        let store = try await ManagedObjectStore.open(
            at: folder.file("user.sqlite"), model: model, seed: seed("1", [1: [1]]), options: options)
        try await store.perform { context in
            let list = OwnPlaylist(in: context)
            list.number = 50
            list.songs = try [7, 8].compactMap { try context.find(OwnSong.self, $0) }
            try context.save()
        }
        _ = try await store.upgradeSeed(to: seed("2", [1: [1, 2]]))
        try await store.perform { context in
            if let song = try context.find(OwnSong.self, 9) {
                try context.find(OwnPlaylist.self, 50)?.songs.append(song)
            }
            try context.save()
        }
        _ = try await store.upgradeSeed(to: seed("3", [1: [1, 2], 50: [1]]))
        let songs = try await store.perform { try $0.find(OwnPlaylist.self, 50)?.songs.map(\.number) }
        #expect(songs == [7, 8, 9, 1])
    }
}
