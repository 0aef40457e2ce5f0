/// The authentication of a client: a user name and password for challenges, or a token with each request.
///
/// ```swift
/// client.authentication = .digest(user: "ann", password: secret)
/// ```
///
/// Set it on a ``RESTClient`` for all of its requests, or on a ``RESTRequest``. It does not apply to a request with its
/// own `Authorization` field or with a user in its URL. Credentials are sent only to the origin of the request's URL,
/// also after redirects. Proxy authentication is not supported.
///
/// A challenge (status 401) is answered once. If the password is wrong or the scheme is not supported, the response
/// with status 401 is returned. The body is sent again, and the request fails with `bodyNotRepeatable` if that is not
/// possible. Accepted credentials are stored in this object, so that later requests to the same protection space are
/// sent only once; share the object between clients. Its secrets are never printed.
public final class Authentication: Sendable {
    /// The scheme with its credentials.
    enum Kind: Sendable {
        case basic(Login, isForced: Bool)
        case digest(Login)
        case challenge(Login)
        case bearer(BearerToken)
    }

    let kind: Kind
    let spaces = Mutex(ProtectionSpaces())
    /// Creates the client nonces.
    let makeNonce: @Sendable () -> String

    init(_ kind: Kind, makeNonce: @escaping @Sendable () -> String = randomHexadecimal) {
        self.kind = kind
        self.makeNonce = makeNonce
    }

    /// Sends user name and password in UTF-8 when a server requests the scheme Basic (RFC 7617).
    ///
    /// The password is not encrypted, so use it only with `https`. If the user name contains a colon, requests fail
    /// with `authenticationFailed`.
    ///
    /// - Parameters:
    ///   - user: The user name, without a colon.
    ///   - password: The password.
    ///   - forced: Whether each request is sent with the credentials, before a challenge. Defaults to `false`.
    public static func basic(user: String, password: String, forced: Bool = false) -> Authentication {
        Authentication(.basic(Login(user: user, password: password), isForced: forced))
    }

    /// Sends a digest of user name, password and request when a server requests the scheme Digest (RFC 7616).
    ///
    /// Supported algorithms are MD5, SHA-256 and their `-sess` variants; the best one that the server offers is used.
    /// Protection of the body (`auth-int`) is not supported. The password is not sent, but can be guessed from a
    /// recorded connection: use `https`.
    public static func digest(user: String, password: String) -> Authentication {
        Authentication(.digest(Login(user: user, password: password)))
    }

    /// Uses the best scheme that a server requests: Digest with SHA-256, Digest with MD5, or Basic.
    ///
    /// The server selects the scheme. Without `https`, an attacker can change its response, and the password can be
    /// sent unencrypted.
    public static func challenge(user: String, password: String) -> Authentication {
        Authentication(.challenge(Login(user: user, password: password)))
    }

    /// Sends a token with each request (RFC 6750), refreshed when a server rejects it.
    public static func bearer(_ token: BearerToken) -> Authentication { Authentication(.bearer(token)) }

    /// Sends a token with each request (RFC 6750); a response with status 401 is returned.
    ///
    /// ```swift
    /// client.authentication = .bearer("github_pat_…")
    /// ```
    ///
    /// - Parameter token: The token. If it is empty or contains spaces or control characters, requests fail with
    ///   `authenticationFailed`.
    public static func bearer(_ token: String) -> Authentication { Authentication(.bearer(BearerToken(fixed: token))) }
}

extension Authentication {
    /// A text that identifies the user, including secrets, to separate stored responses; `nil` before the first token.
    package var cacheIdentity: String? {
        switch kind {
        case .basic(let login, _), .digest(let login), .challenge(let login):
            "login\0\(login.user)\0\(login.password)"
        case .bearer(let token): token.cacheIdentity
        }
    }
}

extension Authentication: CustomStringConvertible, CustomReflectable {
    /// The scheme, without user name, password or token.
    public var description: String {
        switch kind {
        case .basic(_, isForced: false): "basic authentication"
        case .basic: "forced basic authentication"
        case .digest: "digest authentication"
        case .challenge: "basic or digest authentication"
        case .bearer: "bearer authentication"
        }
    }

    /// An empty mirror, so that `dump` does not print secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The credentials that are sent with one hop.
struct Authorization: Sendable {
    /// The reason for which they are sent.
    enum Origin: Sendable {
        /// They are sent with each request.
        case forced
        /// An earlier challenge of the same protection space was answered with them.
        case known(Credentials, ProtectionSpace)
        /// They answer the challenge to the previous hop.
        case answer(Credentials, ProtectionSpace)
        /// A token, with the number of completed refreshes when it was received.
        case token(refreshes: Int)
    }

    /// Credentials that answer challenges.
    enum Credentials: Sendable {
        case basic
        case digest(DigestSession)
    }

    /// The value of the field `Authorization`.
    let value: String
    let origin: Origin

    /// Whether user name and password are sent unencrypted.
    var isBasic: Bool {
        switch origin {
        case .forced, .known(.basic, _), .answer(.basic, _): true
        default: false
        }
    }
}

/// A user name and a password.
struct Login: Sendable {
    let user: String
    let password: String

    /// The value of `Authorization` for the scheme Basic, in UTF-8 (RFC 7617).
    var basic: String { "Basic " + Data("\(user):\(password)".utf8).base64EncodedString() }
}
