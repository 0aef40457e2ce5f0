import MappingDigests

extension Endpoints {
    /// RFC 7616 with `qop=auth`: checks the credentials of a request, and challenges it again.
    @Sendable static func digest(_ request: Request) throws -> Answer? {
        let query = request.query
        let realm = query["realm"] ?? "loopback"
        let names = (query["alg"] ?? "MD5").split(separator: ",").map(String.init)
        let given = DigestCredentials(request.headers["authorization"])
        var isStale = false
        if let given, isRight(given, realm, names, request) {
            let limit = query.number("uses", .max)
            let isFresh = request.remember { $0.nonces.use(given["nonce"], given["nc"], atMost: limit) }
            guard !isFresh else {
                guard query.flag("next"), var answer = try echo(request) else { return try echo(request) }
                let next = request.remember { $0.nonces.issue(after: given["nonce"]) }
                answer.headers.append(Header("Authentication-Info", #"qop=auth, nextnonce="\#(next)""#))
                return answer
            }
            isStale = true
        }
        let nonce = request.remember { $0.nonces.issue() }
        let escaped = realm.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        var answer = refusal(
            names.map { name in
                #"Digest realm="\#(escaped)", domain="/ /digest", qop="auth, auth-int", "#
                    + #"algorithm=\#(name), nonce="\#(nonce)", opaque="o""# + (isStale ? ", stale=true" : "")
                    + (query.flag("userhash") ? ", userhash=true" : "") + (query.flag("utf8") ? ", charset=UTF-8" : "")
            })
        if query["drain"] == "0" {
            answer.isEarly = true
            answer.end = .close
        }
        return answer
    }

    private static func isRight(_ given: DigestCredentials, _ realm: String, _ names: [String], _ request: Request)
        -> Bool
    {
        guard let name = names.first(where: { $0.lowercased() == given["algorithm"].lowercased() }) else {
            return false
        }
        let hash: (String...) -> String = { texts in
            let bytes = texts.joined(separator: ":").utf8
            return name.uppercased().hasPrefix("SHA-256") ? SHA256.hex(of: bytes) : MD5.hex(of: bytes)
        }
        let user = request.query["user"] ?? "user"
        var secret = hash(user, realm, request.query["pass"] ?? "pass")
        if name.hasSuffix("-sess") {
            // Also with a later nonce, it is that of the session's first request.
            let first = request.remember { $0.nonces.first(of: given["nonce"]) }
            secret = hash(secret, first, given["cnonce"])
        }
        let expected = hash(
            secret, given["nonce"], given["nc"], given["cnonce"], "auth", hash(request.method, request.target))
        let shown = request.query.flag("userhash") ? hash(user, realm) : user
        return given["response"] == expected && given.user == shown && given["uri"] == request.target
            && given["realm"] == realm && given["opaque"] == "o" && given["qop"] == "auth" && given["nc"].count == 8
            && given["userhash"] == (request.query.flag("userhash") ? "true" : "")
    }
}

/// The parameters of `Digest a="b", c=d`.
private struct DigestCredentials {
    private var parameters: [String: String] = [:]

    /// Nil for other credentials.
    init?(_ text: String?) {
        guard let text, text.lowercased().hasPrefix("digest ") else { return nil }
        var rest = text.dropFirst(7)
        while let mark = rest.firstIndex(of: "=") {
            let name = rest[..<mark].drop { $0 == " " || $0 == "," }.lowercased()
            rest = rest[mark...].dropFirst()
            var value = ""
            let isQuoted = rest.first == "\""
            if isQuoted { rest.removeFirst() }
            while let character = rest.popFirst(), character != (isQuoted ? "\"" : ",") {
                value.append(isQuoted && character == "\\" ? rest.popFirst() ?? "?" : character)
            }
            parameters[name] = value
        }
    }

    subscript(name: String) -> String { parameters[name] ?? "" }

    /// The user, also of `username*` in UTF-8.
    var user: String {
        guard let escaped = parameters["username*"] else { return self["username"] }
        return escaped.hasPrefix("UTF-8''") ? percentDecoded(escaped.utf8.dropFirst(7)) ?? "" : ""
    }
}
