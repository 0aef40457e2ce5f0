import Digests

/// The request fields that a response depends on, as its `Vary` names them (RFC 9111 §4.1).
///
/// Their values can be secrets, so only a digest is stored.
struct Variation: Sendable, Hashable {
    /// Field names in lowercase, sorted.
    var names: [String]
    /// A digest of the values in the request.
    var digest: String

    init(names: [String], digest: String) {
        self.names = names
        self.digest = digest
    }

    /// Creates the variation of a response to a request; `nil` for `Vary: *`, which matches no other request.
    ///
    /// - Parameter salt: The salt of the cache.
    init?(of response: HTTPHeaders, for request: HTTPHeaders, salt: String) {
        let named = response["Vary"]?.utf8.split(separator: UInt8(ascii: ",")) ?? []
        let names = Set(named.map { trimmingBlanks($0).lowercased() }).subtracting([""]).sorted()
        guard !names.contains("*") else { return nil }
        self.init(names: names, digest: Self.digest(of: names, in: request, salt))
    }

    /// Creates the variation of a request from the field names of earlier responses; `nil` if these are invalid.
    ///
    /// - Parameter fields: The encoded names, as ``fields`` returns them.
    init?(fields: Data, for request: HTTPHeaders, salt: String) {
        guard fields.count <= Self.fieldsLimit, let text = String(validating: fields, as: UTF8.self) else { return nil }
        let names = text.split(separator: "\n").map(String.init)
        self.init(names: names, digest: Self.digest(of: names, in: request, salt))
    }

    /// The encoded names, one per line; the stored response is checked against them.
    var fields: Data { Data(names.joined(separator: "\n").utf8) }

    private static let fieldsLimit = 64 << 10

    private static func digest(of names: [String], in request: HTTPHeaders, _ salt: String) -> String {
        SHA256.hex(of: [salt] + names.map { request[$0] })
    }
}

extension Digest {
    /// Returns the digest of optional strings; distinct lists have distinct digests.
    static func hex(of texts: [String?]) -> String {
        var digest = Self()
        for text in texts {
            let bytes = Array((text ?? "").utf8)
            digest.update(Array("\(text == nil ? -1 : bytes.count):".utf8) + bytes)
        }
        return digest.finalizeHex()
    }
}
