import Digests

extension Endpoints {
    static let authorization: [String: Endpoint] = [
        "/basic": { request in
            let pair = "\(request.query["user"] ?? "user"):\(request.query["pass"] ?? "pass")"
            let expected = "Basic " + Data(pair.utf8).base64EncodedString()
            return request.headers["authorization"] == expected
                ? try echo(request) : refusal(#"Basic realm="loopback", charset="UTF-8""#)
        },
        "/bearer": { request in
            request.headers["authorization"] == "Bearer \(request.query["token"] ?? "t")"
                ? try echo(request) : refusal(#"Bearer realm="loopback", error="invalid_token""#)
        },
        "/digest": digest,
    ]

    private static func refusal(_ challenge: String) -> Answer {
        Answer(401, headers: [Header("WWW-Authenticate", challenge)], body: "{}".utf8)
    }

    /// RFC 7616 with `qop=auth`.
    private static func digest(_ request: Request) throws -> Answer? {
        let isSHA256 = request.query["alg"]?.uppercased() == "SHA-256"
        let hash: (String) -> String = { isSHA256 ? SHA256.hex(of: $0.utf8) : MD5.hex(of: $0.utf8) }
        if let given = credentials(request.headers["authorization"]) {
            let user = request.query["user"] ?? "user"
            let secret = hash("\(user):loopback:\(request.query["pass"] ?? "pass")")
            let parts = ["nonce", "nc", "cnonce", "qop"].map { given[$0] ?? "" }
            let expected = hash(
                ([secret] + parts + [hash("\(request.method):\(request.target)")]).joined(separator: ":"))
            let isKnown = request.remember { $0.nonces.contains(parts[0]) }
            if isKnown, given["response"] == expected, given["username"] == user, given["uri"] == request.target,
                given["realm"] == "loopback", given["opaque"] == "o", given["qop"] == "auth"
            {
                return try echo(request)
            }
        }
        let nonce = String(UInt64.random(in: .min ... .max), radix: 16)
        request.remember { _ = $0.nonces.insert(nonce) }
        var answer = refusal(
            #"Digest realm="loopback", qop="auth", algorithm=\#(isSHA256 ? "SHA-256" : "MD5"), nonce="\#(nonce)", opaque="o""#
        )
        if request.query["drain"] == "0" {
            answer.isEarly = true
            answer.end = .close
        }
        return answer
    }

    /// The parameters of `Digest a="b", c=d`; nil if it is something else.
    private static func credentials(_ text: String?) -> [String: String]? {
        guard let text, text.lowercased().hasPrefix("digest ") else { return nil }
        var result: [String: String] = [:]
        var rest = text.dropFirst(7)
        while let mark = rest.firstIndex(of: "=") {
            let name = rest[..<mark].drop { $0 == " " || $0 == "," }.lowercased()
            rest = rest[mark...].dropFirst()
            let end = rest.first == "\"" ? rest.dropFirst().firstIndex(of: "\"") : rest.firstIndex(of: ",")
            let value = rest[..<(end ?? rest.endIndex)]
            result[name] = String(value.first == "\"" ? value.dropFirst() : value)
            rest = rest[(end ?? rest.endIndex)...].dropFirst()
        }
        return result
    }
}
