import ObjectMapping

/// The mapped part of twitter.json: 13 attributes of a status, 9 of them in the nested object of its author, and hashtags.
struct Twitter: Decodable {
    var statuses: [Status]
}

struct Status: Decodable {
    var id = 0
    var idText = ""
    var createdAt = ""
    var text = ""
    var source = ""
    var truncated = false
    var inReplyTo: String?
    var retweets = 0
    var favorites = 0
    var favorited = false
    var language = ""
    var user = Author()
    var entities = Entities()

    init() {}

    private enum CodingKeys: String, CodingKey {
        case id
        case idText = "id_str"
        case createdAt = "created_at"
        case text, source, truncated
        case inReplyTo = "in_reply_to_screen_name"
        case retweets = "retweet_count"
        case favorites = "favorite_count"
        case favorited
        case language = "lang"
        case user, entities
    }
}

struct Author: Decodable {
    var id = 0
    var name = ""
    var screenName = ""
    var location = ""
    var description = ""
    var followers = 0
    var friends = 0
    var statuses = 0
    var verified = false

    init() {}

    private enum CodingKeys: String, CodingKey {
        case id, name
        case screenName = "screen_name"
        case location, description
        case followers = "followers_count"
        case friends = "friends_count"
        case statuses = "statuses_count"
        case verified
    }
}

struct Entities: Decodable {
    var hashtags: [Hashtag] = []

    init() {}
}

struct Hashtag: Decodable {
    var text = ""

    init() {}
}

// MARK: Mappings

extension Status: Mappable {
    static let mapping = Mapping(Self.init) {
        Attribute("id", \.id)
        Attribute("id_str", \.idText)
        Attribute("created_at", \.createdAt)
        Attribute("text", \.text)
        Attribute("source", \.source)
        Attribute("truncated", \.truncated)
        Attribute("in_reply_to_screen_name", \.inReplyTo)
        Attribute("retweet_count", \.retweets)
        Attribute("favorite_count", \.favorites)
        Attribute("favorited", \.favorited)
        Attribute("lang", \.language)
        Relationship("user", \.user)
        Relationship("entities.hashtags", \.entities.hashtags)
    }
}

extension Author: Mappable {
    static let mapping = Mapping(Self.init) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("screen_name", \.screenName)
        Attribute("location", \.location)
        Attribute("description", \.description)
        Attribute("followers_count", \.followers)
        Attribute("friends_count", \.friends)
        Attribute("statuses_count", \.statuses)
        Attribute("verified", \.verified)
    }
}

extension Hashtag: Mappable {
    static let mapping = Mapping(Self.init) { Attribute("text", \.text) }
}

// MARK: From the result of JSONSerialization

extension Status {
    init(_ members: [String: Any]) {
        id = members["id"] as? Int ?? 0
        idText = members["id_str"] as? String ?? ""
        createdAt = members["created_at"] as? String ?? ""
        text = members["text"] as? String ?? ""
        source = members["source"] as? String ?? ""
        truncated = members["truncated"] as? Bool ?? false
        inReplyTo = members["in_reply_to_screen_name"] as? String
        retweets = members["retweet_count"] as? Int ?? 0
        favorites = members["favorite_count"] as? Int ?? 0
        favorited = members["favorited"] as? Bool ?? false
        language = members["lang"] as? String ?? ""
        if let author = members["user"] as? [String: Any] { user = Author(author) }
        let found = (members["entities"] as? [String: Any])?["hashtags"] as? [[String: Any]] ?? []
        entities.hashtags = found.map { hashtag in
            var tag = Hashtag()
            tag.text = hashtag["text"] as? String ?? ""
            return tag
        }
    }
}

extension Author {
    fileprivate init(_ members: [String: Any]) {
        id = members["id"] as? Int ?? 0
        name = members["name"] as? String ?? ""
        screenName = members["screen_name"] as? String ?? ""
        location = members["location"] as? String ?? ""
        description = members["description"] as? String ?? ""
        followers = members["followers_count"] as? Int ?? 0
        friends = members["friends_count"] as? Int ?? 0
        statuses = members["statuses_count"] as? Int ?? 0
        verified = members["verified"] as? Bool ?? false
    }
}

// MARK: Checksums

extension Status: Checksummed {
    func add(to checksum: inout Checksum) {
        checksum.add(id)
        checksum.add(idText)
        checksum.add(createdAt)
        checksum.add(text)
        checksum.add(source)
        checksum.add(truncated)
        checksum.add(inReplyTo.list) { $0.add($1) }
        checksum.add(retweets)
        checksum.add(favorites)
        checksum.add(favorited)
        checksum.add(language)
        user.add(to: &checksum)
        checksum.add(entities.hashtags) { $0.add($1.text) }
    }
}

extension Author: Checksummed {
    func add(to checksum: inout Checksum) {
        checksum.add(id)
        checksum.add(name)
        checksum.add(screenName)
        checksum.add(location)
        checksum.add(description)
        checksum.add(followers)
        checksum.add(friends)
        checksum.add(statuses)
        checksum.add(verified)
    }
}
