/// What follows a hop instead of an outcome.
enum FollowUp: Sendable {
    /// The request goes where the server says.
    case redirect(Redirect)
    /// The request goes there once more.
    case retry(Retry)
    /// The same is sent again, with the credentials that the server asks for.
    case authorize(Authentication.Step)
}
