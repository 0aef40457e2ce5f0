/// A user name and a password.
struct Login: Sendable {
    let user: String
    let password: String

    /// The value of `Authorization` for the scheme Basic, in UTF-8 (RFC 7617).
    var basic: String { "Basic " + Data("\(user):\(password)".utf8).base64EncodedString() }
}
