/// The 64 most recently accepted answers to challenges, by protection space.
struct ProtectionSpaces: Sendable {
    private var entries: [(space: ProtectionSpace, credentials: Authorization.Credentials)] = []

    static let limit = 64

    var count: Int { entries.count }

    /// Returns the credentials for a hop in a known space; a digest session counts it as a use.
    mutating func authorization(for hop: TransportRequest, _ login: Login) -> Authorization? {
        let matches = entries.indices.compactMap { index in
            entries[index].space.match(hop.url).map { (index: index, length: $0) }
        }
        guard let index = matches.max(by: { $0.length < $1.length })?.index else { return nil }
        let value = entries[index].credentials.authorization(for: hop, login)
        return Authorization(value: value, origin: .known(entries[index].credentials, entries[index].space))
    }

    /// Stores accepted credentials, replacing those of the same space.
    ///
    /// - Parameters:
    ///   - origin: The origin of the credentials.
    ///   - nextNonce: The nonce that the server requests for the next request.
    mutating func accept(_ origin: Authorization.Origin, nextNonce: String?) {
        // For known credentials, the entry may have a higher count or may have been replaced.
        if case .answer(let credentials, let space) = origin, credentials.nonce == nil || index(of: origin) == nil {
            entries.removeAll { $0.space == space }
            entries.append((space, credentials))
            if entries.count > Self.limit { entries.removeFirst() }
        }
        guard let nextNonce, let index = index(of: origin), case .digest(var session) = entries[index].credentials
        else { return }
        session.replaceNonce(with: nextNonce)
        entries[index].credentials = .digest(session)
    }

    /// Removes credentials that the server rejected.
    mutating func refuse(_ origin: Authorization.Origin) {
        if let index = index(of: origin) { entries.remove(at: index) }
    }

    private func index(of origin: Authorization.Origin) -> Int? {
        switch origin {
        case .known(let credentials, let space), .answer(let credentials, let space):
            entries.firstIndex { $0.space == space && $0.credentials.nonce == credentials.nonce }
        case .forced, .token: nil
        }
    }
}

extension Authorization.Credentials {
    /// Returns the value of `Authorization` for a hop; a digest session counts it as a use.
    mutating func authorization(for hop: TransportRequest, _ login: Login) -> String {
        switch self {
        case .basic: return login.basic
        case .digest(var session):
            defer { self = .digest(session) }
            return session.authorization(method: hop.method, target: hop.url.requestTarget)
        }
    }

    fileprivate var nonce: String? { if case .digest(let session) = self { session.nonce } else { nil } }
}

extension URL {
    /// The request target: path and query (RFC 9112 §3.2.1), without dot segments, which transports remove.
    var requestTarget: String {
        let text = ArraySlice(standardized.absoluteString.utf8.prefix { $0 != UInt8(ascii: "#") })
        let start = endOfScheme(text) ?? text.startIndex
        let target = text[start...].drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        return (target.first == UInt8(ascii: "/") ? "" : "/") + String(decoding: target, as: UTF8.self)
    }
}

/// A protection space: the paths of an origin that accept the same credentials (RFC 9110 §11.5).
struct ProtectionSpace: Sendable, Equatable {
    /// A URL of the origin.
    let origin: String
    /// The path prefixes.
    let prefixes: [String]

    /// Creates the space of a basic challenge: the folder of the URL and its subfolders (RFC 7617 §2.2).
    init(basicAt url: URL) {
        origin = url.originKey
        let path = url.path(percentEncoded: true)
        prefixes = [path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"]
    }

    /// Creates the space of a digest challenge (RFC 7616 §3.3).
    ///
    /// It consists of the URLs of its `domain` in the same origin; without a `domain`, of the whole origin.
    init(of challenge: DigestChallenge, at url: URL) {
        origin = url.originKey
        let urls = (challenge.domain ?? "").split(separator: " ").compactMap {
            URL(string: String($0), relativeTo: url)?.absoluteURL
        }
        let paths = urls.filter { $0.isSameOrigin(as: url) }.map { $0.path(percentEncoded: true) }
        prefixes = urls.isEmpty ? ["/"] : paths.map { $0.isEmpty ? "/" : $0 }
    }

    /// Returns the length of the longest prefix that matches a URL; `nil` if the URL is not in the space.
    func match(_ url: URL) -> Int? {
        guard url.originKey == origin else { return nil }
        let path = url.path(percentEncoded: true)
        return prefixes.filter { (path.isEmpty ? "/" : path).hasPrefix($0) }.map(\.utf8.count).max()
    }
}
