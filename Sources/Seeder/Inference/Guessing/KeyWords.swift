/// The meaning of words in keys.
enum KeyWords {
    /// Keys that are identities because of their names.
    static let identities: Set<NameWords> = Set(
        [["id"], ["uuid"], ["guid"], ["identifier"], ["id", "str"]].map(NameWords.init))

    /// The key that is a part of the identity in JSON:API.
    static let type = NameWords(["type"])

    /// The last words of keys with the identity of another object.
    static let references: Set = ["id", "ids", "uuid", "uuids", "guid", "code", "codes", "key", "keys", "ref", "refs"]

    /// The last words of keys that can be a part of a compound identity.
    static let parts: Set = [
        "id", "code", "key", "date", "year", "month", "day", "number", "position", "index", "line", "language", "lang",
        "locale", "type", "kind", "version",
    ]

    /// The last words of keys that can identify objects, if no key is certain.
    static let codes: Set = [
        "code", "key", "slug", "isbn", "sku", "ean", "symbol", "abbreviation", "alpha2", "alpha3", "alpha4", "iban",
        "login", "username", "handle", "email", "url", "uri", "reference", "ref", "number",
    ]

    /// Words in keys for the role of another object.
    static let roles: Set = [
        "assignee", "author", "creator", "editor", "manager", "member", "owner", "publisher", "receiver", "recipient",
        "reporter", "reviewer", "sender", "uploader", "created", "updated", "by",
    ]

    /// Entities whose objects have such roles.
    static let persons: Set = ["account", "contact", "customer", "employee", "member", "person", "profile", "user"]

    /// Words for the parent of an object of the same entity.
    static let parents: Set = ["parent", "ancestor", "superior", "predecessor", "previous", "next", "successor"]

    /// Generic keys of collections.
    static let generic: Set = [
        "content", "contents", "data", "element", "elements", "entries", "entry", "item", "items", "list", "objects",
        "payload", "records", "response", "result", "results", "root", "rows", "value", "values", "embedded", "edges",
        "nodes", "docs", "hits",
    ]

    /// The last words of keys whose strings of digits are amounts, or must be exact for another reason.
    static let amounts: Set = [
        "amount", "balance", "cost", "discount", "fee", "price", "rate", "subtotal", "sum", "tax", "total", "vat",
    ]

    /// The last words of keys whose strings of digits can be times.
    static let times: Set = [
        "at", "created", "date", "epoch", "expires", "expiry", "modified", "on", "published", "since", "time",
        "timestamp", "ts", "until", "updated",
    ]

    /// The last words of keys whose strings are bytes.
    static let bytes: Set = ["blob", "bytes", "data", "digest", "image", "key", "payload", "signature", "thumbnail"]

    /// Whether a key with these words can be an identity, independent of the entity's name.
    static func mayIdentify(_ words: NameWords) -> Bool {
        guard let last = words.words.last else { return false }
        return references.contains(last) || isCode(words) || identities.contains(words)
    }

    /// Whether a key with these words can identify objects, if no key is certain.
    static func isCode(_ words: NameWords) -> Bool {
        words.words.last.map(codes.contains) == true || codes.contains(words.words.joined())
    }

    /// Returns the name to which a key refers if its last word is one of `references`; otherwise `nil`.
    static func reference(in words: NameWords) -> NameWords? {
        guard let last = words.words.last, words.words.count > 1, references.contains(last) else { return nil }
        return NameWords(words.words.dropLast()).singular
    }
}
