import Testing

@testable import RequestQueue

@Suite("Digest authentication")
struct DigestTests {
    private static let circle = Login(user: "Mufasa", password: "Circle of Life")

    /// The challenge of RFC 7616 §3.9.1; RFC 2617 §3.5 has another user and password.
    private static func challenge(_ algorithm: String?, _ more: String = "") throws -> DigestChallenge {
        let text = """
            Digest realm="http-auth@example.org", qop="auth, auth-int", \(algorithm.map { "algorithm=\($0), " } ?? "")\
            nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"\(more)
            """
        return try #require(Challenge.all(in: [text]).first.flatMap(DigestChallenge.init))
    }

    private static func session(_ challenge: DigestChallenge, _ login: Login = circle) -> DigestSession {
        DigestSession(challenge, login, clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
    }

    private static func parameters(_ authorization: String) throws -> [String: String] {
        try #require(Challenge.all(in: [authorization]).first).parameters
    }

    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
    func `The examples of RFC 7616 are computed`(algorithm: String, response: String) throws {
        var session = Self.session(try Self.challenge(algorithm))
        #expect(
            session.authorization(method: .get, target: "/dir/index.html") == """
                Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", \
                nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", response="\(response)", algorithm=\(algorithm), \
                qop=auth, nc=00000001, cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", \
                opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
                """)
    }

    @Test(arguments: [
        (", qop=\"auth,auth-int\"", "Circle Of Life", "6629fae49393a05397450978507c4ef1"),
        // Errata 749 of RFC 2069: without qop there is no count and no nonce of the client.
        ("", "CircleOfLife", "1949323746fe6a43ef61f9606e7febea"),
    ])
    func `The examples of older RFCs are computed`(qop: String, password: String, response: String) throws {
        let text = "Digest realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\"" + qop
        let challenge = try #require(Challenge.all(in: [text]).first.flatMap(DigestChallenge.init))
        var session = DigestSession(challenge, Login(user: "Mufasa", password: password), clientNonce: "0a4f113b")
        let sent = try Self.parameters(session.authorization(method: .get, target: "/dir/index.html"))
        #expect(sent["response"] == response)
        #expect(sent["algorithm"] == nil)
        #expect(sent["nc"] == (qop.isEmpty ? nil : "00000001"))
        #expect(sent["cnonce"] == (qop.isEmpty ? nil : "0a4f113b"))
    }

    @Test(arguments: ["MD5-sess", "sha-256-SESS"])
    func `The secret of a session contains the first nonces, also later`(name: String) throws {
        var session = Self.session(try Self.challenge(name))
        let algorithm = try #require(DigestAlgorithm(name))
        let clientNonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
        let secret = algorithm.digest(
            algorithm.digest("Mufasa", "http-auth@example.org", "Circle of Life"),
            "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", clientNonce)
        _ = session.authorization(method: .get, target: "/")
        session.replaceNonce(with: "later")
        _ = session.authorization(method: .get, target: "/")
        let sent = try Self.parameters(session.authorization(method: .post, target: "/x?y"))
        let request = algorithm.digest("POST", "/x?y")
        #expect(sent["response"] == algorithm.digest(secret, "later", "00000002", clientNonce, "auth", request))
        #expect(sent["algorithm"] == name)
    }

    @Test func `Each request increases the nonce count`() throws {
        var session = Self.session(try Self.challenge("MD5"))
        let counts = try (0..<17).map { _ in
            try Self.parameters(session.authorization(method: .get, target: "/"))["nc"]
        }
        #expect(counts.first == "00000001")
        #expect(counts.last == "00000011")
        #expect(Set(counts).count == 17)
    }

    @Test(arguments: [
        ("Jäsøn Doe", ", charset=UTF-8", "username*", "UTF-8''J%C3%A4s%C3%B8n%20Doe"),
        ("Jäsøn Doe", "", "username", "Jäsøn Doe"), ("a\"b\\c", "", "username", "a\"b\\c"),
        ("a\"\u{618}\\\u{301}", "", "username", "a\"\u{618}\\\u{301}"),
        ("a\r\nX: y", "", "username*", "UTF-8''a%0D%0AX%3A%20y"), ("Ann", ", charset=UTF-8", "username", "Ann"),
        ("Jäsøn Doe", ", userhash=true, charset=UTF-8", "username", "its digest"),
    ])
    func `The user name can have any characters`(user: String, more: String, name: String, value: String) throws {
        let challenge = try Self.challenge("SHA-256", more)
        var session = Self.session(challenge, Login(user: user, password: "x"))
        let text = session.authorization(method: .get, target: "/")
        let sent = try Self.parameters(text)
        let isHashed = challenge.hashesUser
        #expect(sent[name] == (isHashed ? challenge.algorithm.digest(user, challenge.realm) : value))
        #expect(sent["userhash"] == (isHashed ? "true" : nil))
        #expect(!text.contains { $0.isNewline })
    }

    @Test(arguments: [
        "Digest realm=a", "Digest nonce=b", "Digest realm=a, nonce=b, algorithm=SHA-512-256",
        "Digest realm=a, nonce=b, algorithm=\"\"", "Digest realm=a, nonce=b, qop=auth-int",
        "Digest realm=a, nonce=b, qop=\"\"", "Basic realm=a, nonce=b",
    ])
    func `An unsupported challenge is skipped`(text: String) {
        #expect(Challenge.all(in: [text]).compactMap(DigestChallenge.init).isEmpty)
    }

    @Test(arguments: [
        ("http://h", "/"), ("http://h?x=1", "/?x=1"), ("http://h/a%20b?c=d%26#e", "/a%20b?c=d%26"),
        ("http://h:80/#f", "/"), ("http://h/a/../b/./c?d=/../e", "/b/c?d=/../e"), ("http://h//a//b", "//a//b"),
        ("http://h/../a", "/a"), ("http://h/a/..", "/"), ("http://h/%2e%2e/%c3", "/%2e%2e/%c3"),
        ("http://[::1]:8080/a?", "/a?"),
    ])
    func `The target is that of the request line`(url: String, target: String) throws {
        #expect(try #require(URL(string: url)).requestTarget == target)
    }

    @Test func `Basic is the Base64 of UTF-8`() {
        // RFC 7617 §2 and §2.1.
        #expect(Login(user: "Aladdin", password: "open sesame").basic == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(Login(user: "test", password: "123£").basic == "Basic dGVzdDoxMjPCow==")
    }
}
