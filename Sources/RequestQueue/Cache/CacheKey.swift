import Digests

/// Under what a response is kept: a URL, and who asked.
struct CacheKey: Sendable, Hashable {
    /// Digest of the URL; a prefix of the names of all that is kept for it, whoever asked.
    let url: String
    /// Digest of everything that tells who asks, so that nobody is given what somebody else may read.
    let identity: String

    /// How many variants of a URL are kept for the same asker.
    static let variants = 0..<8

    /// - Parameters:
    ///   - message: The request as it is sent, with its cookies.
    ///   - asker: For whom its credentials speak, unless they are a field of its own.
    ///   - isDecoded: Whether its response is decompressed: as such it is stored.
    ///   - salt: The cache's own.
    init(_ message: TransportRequest, asker: String?, isDecoded: Bool, salt: String) {
        url = Self.digest(of: message.url)
        identity = Self.digest([
            salt, message.headers["Authorization"], asker, message.headers["Cookie"], message.tls.cacheIdentity,
            isDecoded ? "decoded" : nil,
        ])
    }

    /// The name of a variant: `<url>-<identity>.<number>`.
    func name(_ variant: Int) -> String { "\(url)-\(identity).\(variant)" }

    /// Whether a name is of that form; other files in a folder are not ours.
    static func isName(_ name: String) -> Bool {
        let parts = name.utf8.split(omittingEmptySubsequences: false) { $0 == 0x2D || $0 == 0x2E }
        return parts.map(\.count) == [32, 32, 1] && parts.joined().allSatisfy { escapedByte([0x30, $0]) != nil }
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
