import ObjectMapping
import Testing

private final class Article: Mappable {
    var id = 0
    var title = "fresh"
    var version = -1
    var tags: [String] = []

    static let mapping = Mapping({ Article() }) {
        Attribute("id", \.id)
        Attribute("title", \.title)
        Attribute("version", \.version)
        Attribute("tags", \.tags)
    }
    .identified(by: \.id)
    .modified(by: \.version)
}

private struct Entry: Mappable, Equatable {
    var id = 0
    var title = "fresh"
    var updatedAt: Date?
    var etag: String?

    static let mapping = rules.modified(by: \.updatedAt)
    static let tagged = rules.modified(by: \.etag)

    private static let rules = Mapping(Entry.init) {
        Attribute("id", \.id)
        Attribute("title", \.title)
        Attribute("updated_at", \.updatedAt)
        Attribute("etag", \.etag)
    }
    .identified(by: \.id)
}

struct ModificationStampTests {
    @Test(arguments: [
        (#"{"title": "new", "version": 6}"#, "new", 6), (#"{"title": "new", "version": 5}"#, "old", 5),
        (#"{"version": 4, "title": "new"}"#, "old", 5), (#"{"title": "new"}"#, "new", 5),
        (#"{"title": "new", "version": null}"#, "new", -1),
    ]) func `An update that is not newer leaves the object unchanged`(text: String, title: String, version: Int) throws
    {
        let article = try Article.mapping.map(#"{"id": 1, "title": "old", "version": 5}"#)
        try Article.mapping.update(article, from: GuardedText(text))
        #expect(article.title == title && article.version == version)
    }

    @Test func `A repeated object is updated unless it is older`() throws {
        let session = MappingSession()
        let all = try Article.mapping.mapAll(
            """
            [{"id": 1, "version": 2, "title": "b"}, {"id": 1, "version": 1, "title": "a", "tags": ["x"]},
             {"id": 1, "version": 3, "tags": ["y"]}]
            """, in: session)
        #expect(all[0] === all[1] && all[0] === all[2])
        #expect(all[0].title == "b" && all[0].version == 3 && all[0].tags == ["y"])
        // The same without identity: two objects.
        #expect(try Article.mapping.mapAll(#"[{"id": 1, "version": 1}, {"id": 1, "version": 1}]"#).count == 2)
    }

    @Test func `Structs keep newer values, too`() throws {
        var entry = Entry(id: 1, title: "old", updatedAt: Date(timeIntervalSince1970: 60))
        try Entry.mapping.update(&entry, from: #"{"title": "same", "updated_at": "1970-01-01T00:01:00Z"}"#)
        #expect(entry.title == "old")
        try Entry.mapping.update(&entry, from: #"{"title": "new", "updated_at": "1970-01-01T00:01:01Z"}"#)
        #expect(entry.title == "new")
        let session = MappingSession()
        let all = try Entry.mapping.mapAll(
            #"[{"id": 1, "title": "b", "updated_at": 2}, {"id": 1, "title": "a", "updated_at": 1}, {"id": 1}]"#,
            in: session)
        #expect(all.map(\.title) == ["b", "b", "fresh"])
    }

    @Test func `A string timestamp has no order: a different one is newer`() throws {
        var entry = Entry(id: 1, title: "old", etag: "b")
        try Entry.tagged.update(&entry, from: #"{"title": "same", "etag": "b"}"#)
        #expect(entry.title == "old")
        try Entry.tagged.update(&entry, from: #"{"title": "other", "etag": "a"}"#)
        #expect(entry.title == "other")
    }

    @Test func `A newer payload with issues leaves the object unchanged, an older one is not read`() throws {
        let article = try Article.mapping.map(#"{"id": 1, "title": "old", "version": 5}"#)
        expectIssues("1:25 $.title: expected a string, found an array (rule title -> Article.title)") {
            try Article.mapping.update(article, from: #"{"version": 6, "title": []}"#)
        }
        try Article.mapping.update(article, from: #"{"version": 4, "title": []}"#)
        #expect(article.title == "old" && article.version == 5)
    }

    @Test func `Issues of a struct are reported, newer or not, and it is unchanged`() throws {
        var entry = Entry(id: 1, title: "old", updatedAt: Date(timeIntervalSince1970: 60))
        for time in [30, 90] {
            expectIssues("1:29 $.title: expected a string, found an array (rule title -> Entry.title)") {
                try Entry.mapping.update(&entry, from: #"{"updated_at": \#(time), "title": []}"#)
            }
        }
        #expect(entry.title == "old" && entry.updatedAt == Date(timeIntervalSince1970: 60))
    }
}
