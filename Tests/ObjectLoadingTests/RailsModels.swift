import Foundation
import LoopbackServer
import ObjectLoading

final class BlogPost: ManagedObject, Mappable {
    @Stored(.identity) var postID = 0
    @Stored var title = ""
    @ToMany(inverse: \BlogComment.post) var comments: [BlogComment]

    static let mapping = Mapping(BlogPost.self) {
        Attribute("id", \.postID)
        Attribute("title", \.title)
        Relationship("comments", \.comments)
    }
}

final class BlogComment: ManagedObject, Mappable {
    @Stored(.identity) var commentID = 0
    @Stored var text = ""
    @Stored var postID: Int? = nil
    @ToOne var post: BlogPost?

    static let mapping = Mapping(BlogComment.self) {
        Attribute("id", \.commentID)
        Attribute("text", \.text)
        Attribute("post_id", \.postID).readOnly
        Connection(\.post, by: \.postID)
    }
}

/// A person as Rails has it, not managed.
struct BlogPerson: Mappable, Equatable {
    var id: Int?
    var name = ""
    var tags: [String] = []
    static let mapping = Mapping(BlogPerson.init) {
        Attribute("id", \.id); Attribute("name", \.name); Attribute("tags", \.tags)
    }
}

/// A draft of a post whose comments have other keys.
struct BlogDraft: Mappable {
    struct Remark: Mappable {
        var id: Int?
        var text = ""
        static let mapping = Mapping(Remark.init) {
            Attribute("id", \.id); Attribute("text", \.text)
        }
    }

    var id = 0
    var subTitle: String?
    var remarks: [Remark]? = []
    static let mapping = Mapping(BlogDraft.init) {
        Attribute("id", \.id)
        Attribute("sub-title", \.subTitle)
        Relationship("remarks", \.remarks)
    }
}

/// The problems of a record by attribute, as Rails sends them with status 422.
struct InvalidRecord: Mappable, CustomStringConvertible {
    var errors: [String: [String]] = [:]
    static let mapping = Mapping(InvalidRecord.init) { Attribute("errors", \.errors) }

    var description: String {
        errors.sorted { $0.key < $1.key }.flatMap { name, texts in texts.map { "\(name) \($0)" } }.joined(
            separator: ", ")
    }
}

/// A manager of the Rails application, or of a server with its conventions.
func railsManager(_ url: URL, format: RailsRouter.BodyFormat = .json) throws -> ObjectManager {
    let store = try ManagedObjectStore(inMemory: ObjectModel(BlogPost.self, BlogComment.self))
    let manager = ObjectManager(client: RESTClient(baseURL: url), store: store)
    let rails = RailsRouter(manager, format: format)
    rails.add(BlogPost.self, id: \.postID, as: "post", nested: ["comments"])
    rails.add(BlogComment.self, id: \.commentID, as: "comment")
    rails.add(BlogPost.self, id: \.postID, relationship: \.comments, as: "post")
    rails.add(BlogPerson.self, id: \.id, as: "person")
    rails.add(BlogDraft.self, id: \.id, nested: ["remarks"])
    manager.responses.add(error: InvalidRecord.mapping, statuses: 422..<423)
    return manager
}
