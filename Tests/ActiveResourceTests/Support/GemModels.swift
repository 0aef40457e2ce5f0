import ActiveResource

/// The resources of `Gem/record.rb`.
enum Gem {
    struct Person: Resource {
        static var site: ResourceSite { Service.site }
        var id: Int?
        var name: String?
        var email: String?
        var age: Int?
        var birthday: Date?
        var admin: Bool?
        var score: Decimal?
        var height: Double?
        var tags: [String]?
        var position: String?
        var lockVersion: Int?
        var createdAt: Date?
        var updatedAt: Date?
        var resource = ResourceState()

        var posts: HasMany<Post> { hasMany() }

        static let mapping = Mapping(Person.init) {
            Attribute("id", \.id)
            Attribute("name", \.name)
            Attribute("email", \.email)
            Attribute("age", \.age)
            Attribute("birthday", \.birthday).using(.date(.dateOnly))
            Attribute("admin", \.admin)
            Attribute("score", \.score).using(.asString)
            Attribute("height", \.height)
            Attribute("tags", \.tags)
            Attribute("position", \.position)
            Attribute("lock_version", \.lockVersion)
            Attribute("created_at", \.createdAt)
            Attribute("updated_at", \.updatedAt)
        }
    }

    struct Post: Resource {
        static var site: ResourceSite { Service.site }
        var id: Int?
        var posterID: Int?
        var title: String?
        var body: String?
        var publishedAt: Date?
        var createdAt: Date?
        var updatedAt: Date?
        var embeddedComments: [Comment]?
        var embeddedPoster: Person?
        var nestedComments: [NestedComment]?
        var resource = ResourceState()

        var comments: HasMany<Comment> { hasMany(embedded: embeddedComments) }
        var poster: BelongsTo<Person> { belongsTo(posterID, embedded: embeddedPoster) }

        static let mapping = Mapping(Post.init) {
            Attribute("id", \.id)
            Attribute("poster_id", \.posterID)
            Attribute("title", \.title)
            Attribute("body", \.body)
            Attribute("published_at", \.publishedAt)
            Attribute("created_at", \.createdAt)
            Attribute("updated_at", \.updatedAt)
            Relationship("comments", \.embeddedComments).readOnly
            Relationship("poster", \.embeddedPoster).readOnly
            Relationship("comments_attributes", \.nestedComments).writeOnly.whenNil(.omit)
        }
    }

    /// A comment in the attributes of a post, which Rails creates, changes or deletes with it.
    struct NestedComment: Mappable {
        var id: Int?
        var text: String?
        var isDeleted: Bool?

        static let mapping = Mapping(NestedComment.init) {
            Attribute("id", \.id).whenNil(.omit)
            Attribute("text", \.text).whenNil(.omit)
            Attribute("_destroy", \.isDeleted).whenNil(.omit)
        }
    }

    struct Comment: Resource {
        static var site: ResourceSite { Service.site }
        static let prefix = "/posts/:post_id/"
        var id: Int?
        var text: String?
        var createdAt: Date?
        var updatedAt: Date?
        var resource = ResourceState()

        static let mapping = Mapping(Comment.init) {
            Attribute("id", \.id)
            Attribute("text", \.text)
            Attribute("created_at", \.createdAt)
            Attribute("updated_at", \.updatedAt)
        }
    }

    struct FreeComment: Resource {
        static var site: ResourceSite { Service.site }
        static let elementName = "comment"
        var id: Int?
        var postID: Int?
        var text: String?
        var resource = ResourceState()

        static let mapping = Mapping(FreeComment.init) {
            Attribute("id", \.id)
            Attribute("post_id", \.postID)
            Attribute("text", \.text)
        }
    }

    struct Address: SingletonResource {
        static var site: ResourceSite { Service.site }
        static let prefix = "/people/:person_id/"
        var number: Int?
        var street: String?
        var city: String?
        var createdAt: Date?
        var updatedAt: Date?
        var resource = ResourceState()

        static let mapping = Mapping(Address.init) {
            Attribute("id", \.number)
            Attribute("street", \.street)
            Attribute("city", \.city)
            Attribute("created_at", \.createdAt)
            Attribute("updated_at", \.updatedAt)
        }
    }

    struct Note: Resource {
        static var site: ResourceSite { Service.site }
        static let prefix = "/echo/"
        static let primaryKey = "slug"
        var id: String?
        var text: String?
        var resource = ResourceState()

        static let mapping = Mapping(Note.init) {
            Attribute("slug", \.id)
            Attribute("text", \.text)
        }
    }

    struct Member: Resource {
        static var site: ResourceSite { Service.site }
        static let prefix = "/echo/teams/:team_id/"
        var id: Int?
        var resource = ResourceState()
        static let mapping = Mapping(Member.init) { Attribute("id", \.id) }
    }

    struct Status: Resource {
        static var site: ResourceSite { Service.site }
        static let collectionName = "status"
        var id: Int?
        var code: Int?
        var resource = ResourceState()
        static let mapping = Mapping(Status.init) {
            Attribute("id", \.id); Attribute("status", \.code)
        }
    }

    struct Vault: Resource {
        static var site: ResourceSite { Service.site }
        static let collectionName = "vault"
        var id: Int?
        var scheme: String?
        var resource = ResourceState()
        static let mapping = Mapping(Vault.init) {
            Attribute("id", \.id); Attribute("scheme", \.scheme)
        }
    }
}
