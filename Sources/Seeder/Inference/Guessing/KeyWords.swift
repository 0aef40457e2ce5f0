/// What the words of keys say about their values.
enum KeyWords {
    /// Keys that are the identity of their objects by their names alone.
    static let sure: Set<NameWords> = Set(
        [["id"], ["uuid"], ["guid"], ["identifier"], ["id", "str"]].map(NameWords.init))

    /// Last words of keys that hold the identity of another object.
    static let references: Set = ["id", "ids", "uuid", "uuids", "guid", "code", "codes", "key", "keys", "ref", "refs"]

    /// Last words of keys that may be a part of a compound identity.
    static let parts: Set = [
        "id", "code", "key", "date", "year", "month", "day", "number", "position", "index", "line", "language", "lang",
        "locale", "type", "kind", "version",
    ]

    /// Last words of keys that may tell objects apart, where no key is sure.
    static let codes: Set = [
        "code", "key", "slug", "isbn", "sku", "ean", "symbol", "abbreviation", "alpha2", "alpha3", "alpha4", "iban",
        "login", "username", "handle", "email", "url", "uri", "reference", "ref", "number",
    ]

    /// What stands for the part of another object in the words of a key.
    static let roles: Set = [
        "assignee", "author", "creator", "editor", "manager", "member", "owner", "publisher", "receiver", "recipient",
        "reporter", "reviewer", "sender", "uploader", "created", "updated", "by",
    ]

    /// Entities whose objects play such parts.
    static let persons: Set = ["account", "contact", "customer", "employee", "member", "person", "profile", "user"]

    /// Words for the object of the same entity that an object belongs to.
    static let parents: Set = ["parent", "ancestor", "superior", "predecessor", "previous", "next", "successor"]

    /// Keys of collections that say nothing about what is in them.
    static let generic: Set = [
        "content", "contents", "data", "element", "elements", "entries", "entry", "item", "items", "list", "objects",
        "payload", "records", "response", "result", "results", "root", "rows", "value", "values", "embedded", "edges",
        "nodes", "docs", "hits",
    ]

    /// Last words of keys whose texts of digits are money, or are to be exact for another reason.
    static let amounts: Set = [
        "amount", "balance", "cost", "discount", "fee", "price", "rate", "subtotal", "sum", "tax", "total", "vat",
    ]

    /// Last words of keys whose texts are bytes.
    static let bytes: Set = ["blob", "bytes", "data", "digest", "image", "key", "payload", "signature", "thumbnail"]

    /// Whether a key of these words may be an identity, whatever the entity is called.
    static func mayIdentify(_ words: NameWords) -> Bool {
        guard let last = words.words.last else { return false }
        return references.contains(last) || isCode(words) || sure.contains(words)
    }

    /// Whether a key of these words may tell objects apart where no key is sure.
    static func isCode(_ words: NameWords) -> Bool {
        words.words.last.map(codes.contains) == true || codes.contains(words.words.joined())
    }

    /// What a key refers to whose last word is one of `references`; nil for others.
    static func reference(in words: NameWords) -> NameWords? {
        guard let last = words.words.last, words.words.count > 1, references.contains(last) else { return nil }
        return NameWords(words.words.dropLast()).singular
    }
}
