import Testing

@testable import RequestQueue

@Suite("Protection spaces")
struct ProtectionSpaceTests {
    private static func hop(_ url: String) throws -> TransportRequest {
        TransportRequest(method: .get, url: try #require(URL(string: url)))
    }

    private static let login = Login(user: "u", password: "p")

    private static func digest(_ parameters: String = "", at url: String = "http://a/") throws -> Authorization.Origin {
        let challenges = Challenge.all(in: ["Digest realm=r, nonce=n, qop=auth" + parameters])
        let challenge = try #require(challenges.first.flatMap(DigestChallenge.init))
        let session = DigestSession(challenge, login, clientNonce: "c")
        return .answer(.digest(session), ProtectionSpace(of: challenge, at: try #require(URL(string: url))))
    }

    @Test(arguments: [
        ("http://a/b/c", "http://a/b/d?e", true), ("http://a/b/c", "http://a/b/c/d", true),
        ("http://a/b/c", "http://a/b/", true), ("http://a/b/c", "http://a/b", false),
        ("http://a/b/c", "http://a/bb/c", false), ("http://a/b/c", "http://A:80/b/c", true),
        ("http://a/b/c", "https://a/b/c", false), ("http://a/b/c", "http://a:81/b/c", false),
        ("http://a", "http://a/x", true), ("http://a/x", "http://a", true),
    ])
    func `The space of a basic challenge is the folder of the URL and its subfolders`(
        asked: String, next: String, isIn: Bool
    ) throws {
        let space = ProtectionSpace(basicAt: try #require(URL(string: asked)))
        #expect((space.match(try #require(URL(string: next))) != nil) == isIn)
    }

    @Test(arguments: [
        ("", "http://a/x", true), ("", "http://b/x", false), (", domain=\"/x /y\"", "http://a/yes", true),
        (", domain=\"/x /y\"", "http://a/z", false), (", domain=\"http://a/x\"", "http://a/x/y", true),
        (", domain=\"http://b/\"", "http://b/", false), (", domain=\"http://b/\"", "http://a/b/c", false),
        (", domain=\"\"", "http://a/x", true), (", domain=\"c\"", "http://a/b/cc", true),
    ])
    func `The space of a digest challenge is its domain at the origin`(domain: String, next: String, isIn: Bool) throws
    {
        var spaces = ProtectionSpaces()
        spaces.accept(try Self.digest(domain, at: "http://a/b/c"), nextNonce: nil)
        #expect((spaces.authorization(for: try Self.hop(next), Self.login) != nil) == isIn)
    }

    @Test func `The narrowest space is used`() throws {
        var spaces = ProtectionSpaces()
        spaces.accept(try Self.digest(), nextNonce: nil)
        spaces.accept(.answer(.basic, ProtectionSpace(basicAt: try Self.hop("http://a/b/").url)), nextNonce: nil)
        #expect(spaces.authorization(for: try Self.hop("http://a/b/c"), Self.login)?.isBasic == true)
        #expect(spaces.authorization(for: try Self.hop("http://a/c"), Self.login)?.isBasic == false)
    }

    @Test func `Each use of a nonce is counted`() throws {
        var spaces = ProtectionSpaces()
        spaces.accept(try Self.digest(), nextNonce: nil)
        let first = try #require(spaces.authorization(for: try Self.hop("http://a/"), Self.login))
        let second = try #require(spaces.authorization(for: try Self.hop("http://a/"), Self.login))
        // The response to an earlier request arrives later.
        spaces.accept(first.origin, nextNonce: nil)
        let third = try #require(spaces.authorization(for: try Self.hop("http://a/"), Self.login))
        #expect(first.value.contains("nc=00000001"))
        #expect(second.value.contains("nc=00000002"))
        #expect(third.value.contains("nc=00000003"))
    }

    @Test func `A later answer with the same nonce does not reset its count`() throws {
        var spaces = ProtectionSpaces()
        spaces.accept(try Self.digest(), nextNonce: nil)
        _ = spaces.authorization(for: try Self.hop("http://a/"), Self.login)
        spaces.accept(try Self.digest(), nextNonce: nil)
        let next = try #require(spaces.authorization(for: try Self.hop("http://a/"), Self.login)).value
        #expect(next.contains("nc=00000002"))
    }

    @Test func `The count of the next nonce starts again`() throws {
        var spaces = ProtectionSpaces()
        spaces.accept(try Self.digest(), nextNonce: nil)
        let first = try #require(spaces.authorization(for: try Self.hop("http://a/"), Self.login))
        spaces.accept(first.origin, nextNonce: "m")
        // A response for the old nonce does not set another one.
        spaces.accept(first.origin, nextNonce: "o")
        let next = try #require(spaces.authorization(for: try Self.hop("http://a/"), Self.login)).value
        #expect(next.contains("nonce=\"m\"") && next.contains("nc=00000001"))
    }

    @Test func `Refused credentials are removed, unless newer ones exist`() throws {
        var spaces = ProtectionSpaces()
        spaces.accept(try Self.digest(), nextNonce: nil)
        let old = try #require(spaces.authorization(for: try Self.hop("http://a/"), Self.login))
        spaces.accept(old.origin, nextNonce: "m")
        spaces.refuse(old.origin)
        let new = try #require(spaces.authorization(for: try Self.hop("http://a/"), Self.login))
        spaces.refuse(new.origin)
        #expect(spaces.count == 0)
    }

    @Test func `Only the newest spaces up to a limit are kept`() throws {
        var spaces = ProtectionSpaces()
        for number in 0..<1000 { spaces.accept(try Self.digest(at: "http://h\(number)/"), nextNonce: nil) }
        #expect(spaces.count == ProtectionSpaces.limit)
        #expect(spaces.authorization(for: try Self.hop("http://h999/"), Self.login) != nil)
        #expect(spaces.authorization(for: try Self.hop("http://h0/"), Self.login) == nil)
    }
}
