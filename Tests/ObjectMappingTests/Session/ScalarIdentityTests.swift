import ObjectMapping
import Testing

private final class Tag: Mappable {
    var name = ""
    var color: String?
    static let mapping = Mapping({ Tag() }) { Attribute(.value, \.name) }.identified(by: \.name)
    static let detailed = Mapping({ Tag() }) {
        Attribute("name", \.name)
        Attribute("color", \.color)
    }
    .identified(by: \.name)
}

private final class Post: Mappable {
    var id = 0
    var tags: [Tag] = []
    var main: Tag?
    static let mapping = Mapping({ Post() }) {
        Attribute("id", \.id)
        Relationship("tags", \.tags)
        Relationship("main", \.main)
    }
    .identified(by: \.id)
}

/// A label whose identity has a part of the object around it.
private final class Label: Mappable {
    var list = 0
    var text = ""
    static let mapping = Mapping({ Label() }) {
        Attribute(.parent("id"), \.list)
        Attribute(.value, \.text)
    }
    .identified(by: \.list)
    .identified(by: \.text)
}

private final class Labels: Mappable {
    var id = 0
    var labels: [Label] = []
    static let mapping = Mapping({ Labels() }) {
        Attribute("id", \.id)
        Relationship("labels", \.labels)
    }
}

/// Objects that are scalars in the payload, `"tags": ["a"]`, with the scalar as identity.
@Suite struct ScalarIdentityTests {
    @Test func `A scalar is one object in a session`() throws {
        let session = MappingSession()
        let posts = try Post.mapping.mapAll(
            #"[{"id": 1, "tags": ["a", "b", "a"], "main": "b"}, {"id": 2, "tags": ["b", null], "main": null}]"#,
            in: session)
        #expect(posts[0].tags.map(\.name) == ["a", "b", "a"] && posts[1].tags.map(\.name) == ["b"])
        #expect(posts[0].tags[0] === posts[0].tags[2] && posts[0].tags[1] === posts[1].tags[0])
        #expect(posts[0].main === posts[0].tags[1] && posts[1].main == nil)
        #expect(session.find(Tag.self, "a") === posts[0].tags[0] && session.all(Tag.self).count == 2)
    }

    @Test func `Scalars and objects of another mapping are the same objects`() throws {
        let session = MappingSession()
        let tags = try Tag.detailed.mapAll(#"[{"name": "a", "color": "red"}]"#, in: session)
        let post = try Post.mapping.map(#"{"id": 1, "tags": ["a"]}"#, in: session)
        #expect(post.tags[0] === tags[0] && tags[0].color == "red")
    }

    @Test func `A payload without a session creates one object for each scalar`() throws {
        let tags = try Tag.mapping.mapAll(#"["a", "b", "a"]"#)
        #expect(tags[0] === tags[2] && tags[0] !== tags[1])
    }

    @Test func `A compound identity has a scalar and a value of the parent`() throws {
        let session = MappingSession()
        let lists = try Labels.mapping.mapAll(
            #"[{"labels": ["x", "y"], "id": 1}, {"id": 2, "labels": ["x"]}, {"id": 1, "labels": ["x"]}]"#, in: session)
        #expect(lists[0].labels[0] !== lists[1].labels[0] && lists[0].labels[0] === lists[2].labels[0])
        #expect(session.find(Label.self, 1, "y") === lists[0].labels[1])
    }

    @Test func `A scalar of another type is an issue with its place`() {
        let error = #expect(throws: MappingError.self) {
            try Post.mapping.map(#"{"id": 1, "tags": ["a", {"name": "b"}]}"#, in: MappingSession())
        }
        #expect(
            error?.issues.map(\.description) == [
                "1:25 $.tags[1]: expected a string, found an object (rule the value -> Tag.name)"
            ], "\(error?.description ?? "-")")
    }
}
