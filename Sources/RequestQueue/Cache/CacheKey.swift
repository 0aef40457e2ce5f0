import MappingDigests

/// The key of a stored response: the URL and the identity of the client.
struct CacheKey: Sendable, Hashable {
    /// A digest of the URL; a prefix of the names of all responses stored for it, for any identity.
    let url: String
    /// A digest of everything that identifies the client, so that a response is not returned to another user.
    let identity: String

    /// - Parameters:
    ///   - message: The request as it is sent, with its cookies.
    ///   - user: The identity of its credentials, if they are not a header field of the request.
    ///   - isDecoded: Whether the response is decompressed before it is stored.
    ///   - salt: The salt of the cache.
    init(_ message: TransportRequest, user: String?, isDecoded: Bool, salt: String) {
        url = Self.digest(of: message.url)
        // Any other field can identify the user, as `X-API-Key` does.
        let fields = message.headers.filter { !Self.isHarmless($0.name) }
            .map { "\($0.name.lowercased())\0\($0.value)" }.sorted()
        identity = Self.digest([salt, user, message.tls.cacheIdentity, isDecoded ? "decoded" : nil] + fields)
    }

    /// Whether a field neither identifies the user nor selects another response, except through `Vary`.
    static func isHarmless(_ name: String) -> Bool {
        let name = name.lowercased()
        return harmless.contains(name) || name.hasPrefix("accept-") || name.hasPrefix("if-")
    }

    private static let harmless: Set = [
        "accept", "cache-control", "date", "pragma", "traceparent", "tracestate", "user-agent",
    ]

    /// The name of a response without `Vary`: `<url>-<identity>.r`.
    var name: String { "\(url)-\(identity).r" }

    /// The name of the list of fields in `Vary`: `<url>-<identity>.v`.
    var fieldsName: String { "\(url)-\(identity).v" }

    /// Returns the name of a response: `<url>-<identity>.<digest of the values of the fields in Vary>`.
    func name(of variation: Variation) -> String {
        variation.names.isEmpty ? name : "\(url)-\(identity).\(variation.digest.prefix(16))"
    }

    /// Whether the name has the form of a stored response; other files in the folder are ignored.
    static func isName(_ name: String) -> Bool {
        let parts = name.utf8.split(omittingEmptySubsequences: false) { $0 == 0x2D || $0 == 0x2E }
        guard parts.count == 3, parts[0].count == 32, parts[1].count == 32, let kind = parts.last else { return false }
        let isKind = kind.elementsEqual("r".utf8) || kind.elementsEqual("v".utf8)
        return (isKind || kind.count == 16 || kind.count == 1)
            && (parts.prefix(2) + (isKind ? [] : [kind])).joined().allSatisfy { escapedByte([0x30, $0]) != nil }
    }

    /// Returns a digest of a URL, ignoring the fragment and the case of the host.
    static func digest(of url: URL) -> String {
        let path = url.path(percentEncoded: true)
        return digest([
            url.scheme?.lowercased(), url.host(percentEncoded: true)?.lowercased(), "\(url.effectivePort)",
            path.isEmpty ? "/" : path, url.query(percentEncoded: true),
        ])
    }

    static func digest(_ texts: [String?]) -> String { String(SHA256.hex(of: texts).prefix(32)) }
}

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
        let names = Set(response.elements(of: "Vary")).sorted()
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
