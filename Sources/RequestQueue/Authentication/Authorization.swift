/// What one hop says of who sends it.
struct Authorization: Sendable {
    /// How it came to say so.
    enum Origin: Sendable {
        /// It is said to everybody who may hear it.
        case forced
        /// A challenge of an earlier request was answered like this.
        case known(Credentials, ProtectionSpace)
        /// The challenge of the hop before is answered.
        case answer(Credentials, ProtectionSpace)
        /// A token, and how many refreshes had ended when it was taken.
        case token(refreshes: Int)
    }

    /// What answers challenges.
    enum Credentials: Sendable {
        case basic
        case digest(DigestSession)
    }

    /// The value of the field `Authorization`.
    let value: String
    let origin: Origin

    /// Whether it sends user and password as they are.
    var isBasic: Bool {
        switch origin {
        case .forced, .known(.basic, _), .answer(.basic, _): true
        default: false
        }
    }
}
