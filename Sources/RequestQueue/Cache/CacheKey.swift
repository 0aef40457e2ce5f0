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
    ///   - request: What the caller sent.
    ///   - salt: The cache's own.
    init(_ message: TransportRequest, of request: RESTRequest, salt: String) {
        url = Self.digest(of: message.url)
        // Bodies are stored as they are delivered, decompressed or not.
        identity = Self.digest([
            salt, message.headers["Authorization"], request.authentication?.cacheIdentity,
            message.headers["Cookie"], request.tls.cacheIdentity, request.isDecoded ? "decoded" : nil,
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
