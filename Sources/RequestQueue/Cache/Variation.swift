import Digests

/// What a response depends on beside its URL: the request's fields that its `Vary` names (RFC 9111 §4.1).
///
/// Their values may be secrets, and are kept as a digest.
struct Variation: Sendable, Hashable {
    /// Names of fields in small letters, sorted.
    var names: [String]
    /// Of what the request had in them.
    var digest: String

    init(names: [String], digest: String) {
        self.names = names
        self.digest = digest
    }

    /// What a response depends on, with the values of the request for it; nil if no other request is alike: `Vary: *`.
    ///
    /// - Parameter salt: The cache's own.
    init?(of response: HTTPHeaders, for request: HTTPHeaders, salt: String) {
        let named = response["Vary"]?.utf8.split(separator: UInt8(ascii: ",")) ?? []
        let names = Set(named.map { trimmingBlanks($0).lowercased() }).subtracting([""]).sorted()
        guard !names.contains("*") else { return nil }
        self.init(names: names, digest: Self.digest(of: names, in: request, salt))
    }

    /// What a response to a request depends on if earlier ones depended on fields; nil if these are none.
    ///
    /// - Parameter fields: As ``fields`` has them.
    init?(fields: Data, for request: HTTPHeaders, salt: String) {
        guard fields.count <= Self.fieldsLimit, let text = String(validating: fields, as: UTF8.self) else { return nil }
        let names = text.split(separator: "\n").map(String.init)
        self.init(names: names, digest: Self.digest(of: names, in: request, salt))
    }

    /// The names of the fields, a line each; they are checked with the response that is found by them.
    var fields: Data { Data(names.joined(separator: "\n").utf8) }

    private static let fieldsLimit = 64 << 10

    private static func digest(of names: [String], in request: HTTPHeaders, _ salt: String) -> String {
        SHA256.hex(of: [salt] + names.map { request[$0] })
    }
}

extension Digest {
    /// The digest of texts that may be missing, of which no two lists have the same.
    static func hex(of texts: [String?]) -> String {
        var digest = Self()
        for text in texts {
            let bytes = Array((text ?? "").utf8)
            digest.update(Array("\(text == nil ? -1 : bytes.count):".utf8) + bytes)
        }
        return digest.finalizeHex()
    }
}
