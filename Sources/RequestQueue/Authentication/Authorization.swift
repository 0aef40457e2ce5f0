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
