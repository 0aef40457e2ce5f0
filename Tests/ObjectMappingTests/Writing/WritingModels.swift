import ObjectMapping

/// A user whose values are written in every way: as members, nested, omitted.
struct WrittenUser: Mappable, Equatable {
    struct Address: Equatable {
        var street: String?
        var city = ""
        var zip: String?
    }

    var id = 0
    var name = ""
    var nickname: String?
    var isAdmin = false
    var born: Date?
    var address = Address()
    var scores: [Double] = []
    var tags: Set<String> = []
    var postCount = 0
    var friends: [WrittenFriend] = []
    var best: WrittenFriend?

    static let mapping = Mapping(WrittenUser.init) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("nickname", \.nickname)
        Attribute("address.city", \.address.city)
        Attribute("is_admin", \.isAdmin)
        Attribute("address.geo.zip", \.address.zip)
        Attribute("born", \.born)
        Attribute("address.street", \.address.street)
        Attribute("scores", \.scores)
        Attribute("tags", \.tags)
        Attribute("posts.@count", \.postCount)
        Relationship("friends", \.friends)
        Relationship("best", \.best)
    }
    .identified(by: \.id)
}

struct WrittenFriend: Mappable, Hashable {
    var id = 0
    var name: String?
    var since: Date?

    static let mapping = Mapping(WrittenFriend.init) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("since", \.since)
    }
    .identified(by: \.id)
}

/// A class whose objects can contain each other and themselves.
final class WrittenRing: Mappable {
    var name = "ring"
    var size: Int?
    var next: WrittenRing?
    var others: [WrittenRing] = []

    static let mapping = Mapping({ WrittenRing() }) {
        Attribute("name", \.name)
        Attribute("size", \.size)
        Relationship("next", \.next)
        Relationship("others", \.others)
    }

    init(_ name: String = "ring", next: WrittenRing? = nil, others: [WrittenRing] = []) {
        (self.name, self.next, self.others) = (name, next, others)
    }
}

/// The text that a mapping writes for a model.
func text<Model>(
    _ model: Model, _ mapping: Mapping<Model>, rootKey: JSONKeyPath = "", _ options: WritingOptions = WritingOptions()
) throws -> String {
    String(decoding: try mapping.serialize(model, rootKey: rootKey, options: options), as: UTF8.self)
}

/// A value that is only written.
private struct Holder<Value>: @unchecked Sendable {  // guarded by being read only
    var value: Value
}

/// The text that is written for a value under the key `v`.
func written<Value: JSONConvertible>(_ value: Value, _ options: WritingOptions = WritingOptions()) throws -> String {
    let holder = Holder(value: value)
    return try text(holder, Mapping({ holder }) { Attribute("v", \.value) }, options)
}
