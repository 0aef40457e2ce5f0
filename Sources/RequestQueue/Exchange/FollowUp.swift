/// What follows a hop instead of an outcome.
enum FollowUp: Sendable {
    /// The request goes where the server says.
    case redirect(Redirect)
    /// The request goes there once more.
    case retry(Retry)
    /// The same is sent again, with the credentials that the server asks for.
    case authorize(Authentication.Step)
}

extension FollowUp {
    /// What the head of a response asks for; nil if the response is the one to hand over.
    ///
    /// - Parameter redirects: How many were followed before.
    init?(_ head: ResponseHead, to hop: TransportRequest, of request: RESTRequest, redirects: Int)
        throws(TransportFailure)
    {
        if request.redirectLimit > 0, let redirect = try Redirect(head, to: hop) {
            guard redirects < request.redirectLimit else {
                throw TransportFailure(
                    .tooManyRedirects, "more than \(redirects) redirects; RESTRequest.redirectLimit allows no more")
            }
            self = .redirect(redirect)
            return
        }
        return nil
    }
}
