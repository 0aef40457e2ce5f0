/// Where credentials hold: paths of an origin (RFC 9110 §11.5).
struct ProtectionSpace: Sendable {
    /// A URL of the origin.
    let origin: URL
    /// What paths begin with.
    let prefixes: [String]

    /// The space of a basic challenge: what lies beside and below the URL that was asked (RFC 7617 §2.2).
    init(basicAt url: URL) {
        origin = url
        let path = url.path(percentEncoded: true)
        prefixes = [path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"]
    }

    /// The space of a digest challenge: its `domain`, other origins left out, or else all of the origin (RFC 7616 §3.3).
    init(of challenge: DigestChallenge, at url: URL) {
        origin = url
        let urls = (challenge.domain ?? "").split(separator: " ").compactMap {
            URL(string: String($0), relativeTo: url)?.absoluteURL
        }
        let paths = urls.filter { $0.isSameOrigin(as: url) }.map { $0.path(percentEncoded: true) }
        prefixes = urls.isEmpty ? ["/"] : paths.map { $0.isEmpty ? "/" : $0 }
    }

    /// How many characters of the path decide that a URL is in it; nil if it is not.
    func match(_ url: URL) -> Int? {
        guard url.isSameOrigin(as: origin) else { return nil }
        let path = url.path(percentEncoded: true)
        return prefixes.filter { (path.isEmpty ? "/" : path).hasPrefix($0) }.map(\.utf8.count).max()
    }
}

extension ProtectionSpace: Equatable {
    static func == (one: ProtectionSpace, other: ProtectionSpace) -> Bool {
        one.origin.isSameOrigin(as: other.origin) && one.prefixes == other.prefixes
    }
}
