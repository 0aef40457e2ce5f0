import Testing

@testable import RequestQueue

@Suite("Challenges of WWW-Authenticate")
struct ChallengeTests {
    private static func parsed(_ fields: String...) -> [Challenge] { Challenge.all(in: fields) }

    @Test(arguments: [
        ("Basic realm=\"a\"", [Challenge(scheme: "basic", parameters: ["realm": "a"])]),
        ("bAsIc REALM = \"a\"", [Challenge(scheme: "basic", parameters: ["realm": "a"])]),
        ("Negotiate", [Challenge(scheme: "negotiate")]),
        ("Negotiate abc/+d==", [Challenge(scheme: "negotiate")]),
        ("Digest qop=auth", [Challenge(scheme: "digest", parameters: ["qop": "auth"])]),
        (
            "Digest realm=\"a, b=c\", qop=\"auth,auth-int\"",
            [Challenge(scheme: "digest", parameters: ["realm": "a, b=c", "qop": "auth,auth-int"])]
        ),
        (#"Basic realm="a \"b\" \\c""#, [Challenge(scheme: "basic", parameters: ["realm": #"a "b" \c"#])]),
        // Without quotes, which is invalid but common.
        ("Digest nonce=a/b==, x=1", [Challenge(scheme: "digest", parameters: ["nonce": "a/b==", "x": "1"])]),
        ("Basic realm=\"\"", [Challenge(scheme: "basic", parameters: ["realm": ""])]),
        ("Basic realm=\"ä\"", [Challenge(scheme: "basic", parameters: ["realm": "ä"])]),
    ])
    func `A challenge is parsed`(text: String, challenges: [Challenge]) {
        #expect(Self.parsed(text) == challenges)
    }

    @Test(arguments: [
        // RFC 9110 §11.6.1.
        (
            #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
            "basic realm=simple | newauth realm=apps title=Login to \"apps\" type=1"
        ),
        ("Negotiate, Basic realm=\"a\", NTLM", "negotiate | basic realm=a | ntlm"),
        ("NTLM TlRMTVNTUAAC=, Digest nonce=\"n\",realm=\"r\"", "ntlm | digest nonce=n realm=r"),
        (" , ,Basic  realm=a ,, Bearer error=x,", "basic realm=a | bearer error=x"),
    ])
    func `Several challenges in one field are separated`(text: String, challenges: String) {
        let shown = Self.parsed(text).map { challenge in
            ([challenge.scheme] + challenge.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
                .joined(separator: " ")
        }
        #expect(shown.joined(separator: " | ") == challenges)
    }

    @Test func `Several fields of a name are one list`() {
        #expect(Self.parsed("Basic realm=a", "", "Digest realm=b, Foo").map(\.scheme) == ["basic", "digest", "foo"])
    }

    @Test(arguments: [
        "", " ", ",", "=", "\"", "Basic=", "Basic\"a\"", "Basic realm=\"a\"=", "Basic realm=\"a", "Basic realm=\"a\\",
        "Basic realm=\"a\" nonce=\"b\"", "Basic realm=\"a\"x", "Basic realm=a, realm=b", "Basic realm=a, REALM=a",
        "Basic realm=a, =b", "Basic realm=a, @", "Basic realm=\"a\u{0}\"", "Basic realm=\"a\r\nX: y\"",
        "Basic realm=\"a\\\nb\"", "Basic realm=\"\u{7F}\"", "é realm=a", "Basic realm=a\"b\"", "Basic @",
    ])
    func `Invalid text is not a challenge`(text: String) {
        #expect(Self.parsed(text).isEmpty)
    }

    @Test(arguments: [
        ("Basic realm=a, Digest realm=\"x", ["basic"]), ("Basic realm=a, Foo x=1, x=2, Bar", ["basic"]),
        ("Basic realm=a, @@@, Digest realm=b", []), ("Foo, Basic realm=\"a\" b", ["foo"]),
    ])
    func `A challenge before invalid text is parsed`(text: String, schemes: [String]) {
        #expect(Self.parsed(text).map(\.scheme) == schemes)
    }

    @Test func `A challenge beyond the limits is not parsed`() {
        let many = (0..<1000).map { "S\($0) a=b" }.joined(separator: ", ")
        #expect(Self.parsed(many).count == 16)
        let parameters = (0..<1000).map { "p\($0)=b" }.joined(separator: ", ")
        #expect(Self.parsed("Basic \(parameters)").isEmpty)
        #expect(Self.parsed(String(repeating: ",", count: 100_000)).isEmpty)
    }

    @Test(arguments: [
        ("nextnonce=\"n\", qop=auth", "n"), ("nextnonce=n", "n"), ("", nil), ("qop=auth", nil),
        ("nextnonce=\"n\", Basic realm=a", nil), ("nextnonce=\"n", nil), ("Digest nextnonce=n", nil),
    ])
    func `A field with only parameters is parsed`(text: String, nextNonce: String?) {
        #expect(Challenge.parameters(in: text)?["nextnonce"] == nextNonce)
    }
}
