/// A protection space: the paths of an origin that accept the same credentials (RFC 9110 §11.5).
struct ProtectionSpace: Sendable {
    /// A URL of the origin.
    let origin: URL
    /// The path prefixes.
    let prefixes: [String]

    /// Creates the space of a basic challenge: the folder of the URL and its subfolders (RFC 7617 §2.2).
    init(basicAt url: URL) {
        origin = url
        let path = url.path(percentEncoded: true)
        prefixes = [path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"]
    }

    /// Creates the space of a digest challenge (RFC 7616 §3.3).
    ///
    /// It consists of the URLs of its `domain` in the same origin; without a `domain`, of the whole origin.
    init(of challenge: DigestChallenge, at url: URL) {
        origin = url
        let urls = (challenge.domain ?? "").split(separator: " ").compactMap {
            URL(string: String($0), relativeTo: url)?.absoluteURL
        }
        let paths = urls.filter { $0.isSameOrigin(as: url) }.map { $0.path(percentEncoded: true) }
        prefixes = urls.isEmpty ? ["/"] : paths.map { $0.isEmpty ? "/" : $0 }
    }

    /// Returns the length of the longest prefix that matches a URL; `nil` if the URL is not in the space.
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
