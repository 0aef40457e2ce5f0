import ObjectMapping
import ObjectStore

final class Song: ManagedObject, Mappable {
    @Stored(.identity) var songID = 0
    @ToOne var record: Record?
    @ToOne(inverse: \Lyrics.song) var lyrics: Lyrics?

    static let mapping = Mapping(Song.self) { Attribute("id", \.songID) }
}

/// Its songs are in a table of links and in a column.
final class Record: ManagedObject, Mappable {
    @Stored(.identity) var recordID = 0
    @Stored var songIDs: [Int] = []
    @ToMany(inverse: \Song.record, isOrdered: true) var songs: [Song]

    static let mapping = Mapping(Record.self) {
        Attribute("id", \.recordID)
        Attribute("songs", \.songIDs)
        Connection(\.songs, by: \.songIDs)
    }
}

/// Its songs are in a table of links only.
final class Playlist: ManagedObject, Mappable {
    @Stored(.identity) var playlistID = 0
    @Stored var songIDs: [Int] = []
    @ToMany(isOrdered: true) var songs: [Song]

    static let mapping = Mapping(Playlist.self) {
        Attribute("id", \.playlistID)
        Attribute("songs", \.songIDs)
        Connection(\.songs, by: \.songIDs)
    }
}

final class Lyrics: ManagedObject, Mappable {
    @Stored(.identity) var lyricsID = 0
    @Stored var songID: Int? = nil
    @ToOne var song: Song?

    static let mapping = Mapping(Lyrics.self) {
        Attribute("id", \.lyricsID)
        Attribute("song", \.songID)
        Connection(\.song, by: \.songID)
    }
}
