/// The challenges that were answered well, so that requests need not be asked again: the newest 64.
struct ProtectionSpaces: Sendable {
    private var entries: [(space: ProtectionSpace, credentials: Authorization.Credentials)] = []

    static let limit = 64

    var count: Int { entries.count }

    /// What a hop is sent with, if it leads into a space that is known; a digest session counts it as a use.
    mutating func authorization(for hop: TransportRequest, _ login: Login) -> Authorization? {
        let matches = entries.indices.compactMap { index in
            entries[index].space.match(hop.url).map { (index: index, length: $0) }
        }
        guard let index = matches.max(by: { $0.length < $1.length })?.index else { return nil }
        let value = entries[index].credentials.authorization(for: hop, login)
        return Authorization(value: value, origin: .known(entries[index].credentials, entries[index].space))
    }

    /// The server took it: an answer is kept, in the place of what was in its space.
    ///
    /// - Parameter nextNonce: What the server wants to see next.
    mutating func accept(_ origin: Authorization.Origin, nextNonce: String?) {
        // Of what was known already the entry may have counted further, or be another one.
        if case .answer(let credentials, let space) = origin, credentials.nonce == nil || index(of: origin) == nil {
            entries.removeAll { $0.space == space }
            entries.append((space, credentials))
            if entries.count > Self.limit { entries.removeFirst() }
        }
        guard let nextNonce, let index = index(of: origin), case .digest(var session) = entries[index].credentials
        else { return }
        session.goOn(with: nextNonce)
        entries[index].credentials = .digest(session)
    }

    /// The server does not take it any more.
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
    /// The value of the field for a hop; a digest session counts it as a use.
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
    /// What stands in the first line of a request for it: path and query (RFC 9112 §3.2.1), without dot segments, which
    /// transports resolve.
    var requestTarget: String {
        let text = ArraySlice(standardized.absoluteString.utf8.prefix { $0 != UInt8(ascii: "#") })
        let start = endOfScheme(text) ?? text.startIndex
        let target = text[start...].drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        return (target.first == UInt8(ascii: "/") ? "" : "/") + String(decoding: target, as: UTF8.self)
    }
}
