import Digests

/// Under what a response is kept: a URL, and who asked.
struct CacheKey: Sendable, Hashable {
    /// Digest of the URL; a prefix of the names of all that is kept for it, whoever asked.
    let url: String
    /// Digest of everything that tells who asks, so that nobody is given what somebody else may read.
    let identity: String

    /// - Parameters:
    ///   - message: The request as it is sent, with its cookies.
    ///   - asker: For whom its credentials speak, unless they are a field of its own.
    ///   - isDecoded: Whether its response is decompressed: as such it is stored.
    ///   - salt: The cache's own.
    init(_ message: TransportRequest, asker: String?, isDecoded: Bool, salt: String) {
        url = Self.digest(of: message.url)
        // Any other field may identify who asks, as `X-API-Key` does.
        let fields = message.headers.filter { !Self.isHarmless($0.name) }
            .map { "\($0.name.lowercased())\0\($0.value)" }.sorted()
        identity = Self.digest([salt, asker, message.tls.cacheIdentity, isDecoded ? "decoded" : nil] + fields)
    }

    /// Whether a field neither identifies who asks nor selects another response, unless `Vary` names it.
    private static func isHarmless(_ name: String) -> Bool {
        let name = name.lowercased()
        return harmless.contains(name) || name.hasPrefix("accept-") || name.hasPrefix("if-")
    }

    private static let harmless: Set = [
        "accept", "cache-control", "date", "pragma", "traceparent", "tracestate", "user-agent",
    ]

    /// The name of a response that depends on no further field of the request: `<url>-<identity>.r`.
    var name: String { "\(url)-\(identity).r" }

    /// The name of the list of fields that responses depend on: `<url>-<identity>.v`.
    var fieldsName: String { "\(url)-\(identity).v" }

    /// The name of a response: `<url>-<identity>.<digest of the fields that it depends on>`.
    func name(of variation: Variation) -> String {
        variation.names.isEmpty ? name : "\(url)-\(identity).\(variation.digest.prefix(16))"
    }

    /// Whether a name is of that form; other files in a folder are not ours.
    static func isName(_ name: String) -> Bool {
        let parts = name.utf8.split(omittingEmptySubsequences: false) { $0 == 0x2D || $0 == 0x2E }
        guard parts.count == 3, parts[0].count == 32, parts[1].count == 32, let kind = parts.last else { return false }
        let isKind = kind.elementsEqual("r".utf8) || kind.elementsEqual("v".utf8)
        return (isKind || kind.count == 16 || kind.count == 1)
            && (parts.prefix(2) + (isKind ? [] : [kind])).joined().allSatisfy { escapedByte([0x30, $0]) != nil }
    }

    /// The digest of what makes two URLs the same to a server; a fragment and how the host is written do not.
    static func digest(of url: URL) -> String {
        let path = url.path(percentEncoded: true)
        return digest([
            url.scheme?.lowercased(), url.host(percentEncoded: true)?.lowercased(), "\(url.effectivePort)",
            path.isEmpty ? "/" : path, url.query(percentEncoded: true),
        ])
    }

    private static func digest(_ texts: [String?]) -> String { String(SHA256.hex(of: texts).prefix(32)) }
}
