import Synchronization

/// How a client says who it is: by user and password when a server asks for them, or by a token with each request.
///
/// ```swift
/// client.authentication = .digest(user: "ann", password: secret)
/// ```
///
/// Set it on a ``RESTClient`` for all its requests, or on a ``RESTRequest``. A request that has a field `Authorization` of
/// its own, or a user in its URL, is left alone, and nothing is said to another origin than that of the request's URL,
/// wherever redirects lead. Proxies are not logged in to.
///
/// A challenge (status 401) is answered once: if the password is wrong, or the server asks for what is not known here, its
/// 401 is the response. The body goes again whole, and fails as `bodyNotRepeatable` if it cannot. What a server accepted is
/// remembered with this object, for the next requests to the same protection space, which then go only once; so share
/// it. It never shows its secrets when it is printed.
public final class Authentication: Sendable {
    /// What of it is sent when.
    enum Kind: Sendable {
        case basic(Login, isForced: Bool)
        case digest(Login)
        case challenge(Login)
        case bearer(BearerToken)
    }

    let kind: Kind
    let spaces = Mutex(ProtectionSpaces())
    /// Makes the client's nonces.
    let makeNonce: @Sendable () -> String

    init(_ kind: Kind, makeNonce: @escaping @Sendable () -> String = randomNonce) {
        self.kind = kind
        self.makeNonce = makeNonce
    }

    /// User and password as they are, in UTF-8 (RFC 7617), when a server asks for the scheme Basic.
    ///
    /// Whoever reads the connection reads the password, so only use it with `https`. The user has no colon: with one,
    /// requests fail as `authenticationFailed` instead of sending another user.
    ///
    /// - Parameters:
    ///   - user: The name, without a colon.
    ///   - password: The password.
    ///   - forced: Whether each request is sent with them, without being asked.
    public static func basic(user: String, password: String, forced: Bool = false) -> Authentication {
        Authentication(.basic(Login(user: user, password: password), isForced: forced))
    }

    /// A digest of user, password and request when a server asks for the scheme Digest (RFC 7616).
    ///
    /// The algorithms are MD5, SHA-256 and both with `-sess`, the best that is asked for; not those over the body
    /// (`auth-int`). The password does not go over the connection, but may be guessed by who reads it: use `https`.
    public static func digest(user: String, password: String) -> Authentication {
        Authentication(.digest(Login(user: user, password: password)))
    }

    /// User and password by the best scheme that a server asks for: Digest with SHA-256, with MD5, or Basic.
    ///
    /// The server chooses, and so does who can change its answers: without `https` the password may go as it is.
    public static func challenge(user: String, password: String) -> Authentication {
        Authentication(.challenge(Login(user: user, password: password)))
    }

    /// A token with each request (RFC 6750), refreshed when a server does not take it any more.
    public static func bearer(_ token: BearerToken) -> Authentication { Authentication(.bearer(token)) }
}

extension Authentication {
    /// Whom it speaks for, as a text to tell responses apart by, secrets included; nil while nobody knows, as before the
    /// first token.
    package var cacheIdentity: String? {
        switch kind {
        case .basic(let login, _), .digest(let login), .challenge(let login):
            "login\0\(login.user)\0\(login.password)"
        case .bearer(let token): token.cacheIdentity
        }
    }
}

extension Authentication: CustomStringConvertible, CustomReflectable {
    /// The scheme, without user, password or token.
    public var description: String {
        switch kind {
        case .basic(_, isForced: false): "basic authentication"
        case .basic: "forced basic authentication"
        case .digest: "digest authentication"
        case .challenge: "basic or digest authentication"
        case .bearer: "bearer authentication"
        }
    }

    /// Nothing: `dump` does not show secrets either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// 128 random bits in hexadecimal digits.
private func randomNonce() -> String {
    (0..<2).map { _ in String(UInt64.random(in: .min ... .max) | 1 << 63, radix: 16) }.joined()
}
