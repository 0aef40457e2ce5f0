import ActiveResource

struct Person: Resource, Equatable {
    static var site: ResourceSite { Service.site }
    var id: Int?
    var name: String? = ""
    var age: Int?
    var createdAt: Date?
    var resource = ResourceState()

    static let mapping = Mapping(Person.init) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("age", \.age)
        Attribute("created_at", \.createdAt).readOnly
    }

    func validate(_ errors: inout ResourceErrors) {
        if name == "-" { errors.add("is invalid", to: "name") }
    }
}

struct Comment: Resource {
    static var site: ResourceSite { Service.site }
    static let prefix = "/posts/:post_id/"
    var id: Int?
    var postID: Int?
    var text = ""
    var resource = ResourceState()

    static let mapping = Mapping(Comment.init) {
        Attribute("id", \.id)
        Attribute("post_id", \.postID)
        Attribute("text", \.text)
    }
}

struct StreetAddress: Resource {
    static var site: ResourceSite { Service.site }
    var id: String?
    var resource = ResourceState()
    static let mapping = Mapping(StreetAddress.init) { Attribute("id", \.id) }
}

/// A class, with a custom primary key.
final class Note: Resource {
    static var site: ResourceSite { Service.site }
    static let primaryKey = "slug"
    var id: String?
    var text = ""
    var resource = ResourceState()

    static let mapping = Mapping(Note.init) {
        Attribute("slug", \.id)
        Attribute("text", \.text)
    }
}
