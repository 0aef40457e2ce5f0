/// The action that follows a hop, if it is not the last one.
enum FollowUp: Sendable {
    /// The redirect of the server is followed.
    case redirect(Redirect)
    /// The request is retried.
    case retry(Retry)
    /// The request is sent again, with the credentials that the server requests.
    case authorize(Authentication.Step)
}
