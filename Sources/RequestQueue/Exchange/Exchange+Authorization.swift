import Synchronization

extension Exchange {
    /// Returns the authentication for a hop.
    ///
    /// It applies only to the origin of the request, and only if the request has no credentials itself.
    func authentication(for hop: TransportRequest) -> Authentication? {
        guard let authentication = request.authentication, hop.headers["Authorization"] == nil,
            // A request that is redirected back to its origin has lost its own field, and must not receive other
            // credentials.
            request.headers["Authorization"] == nil, let origin = request.url?.absoluteURL,
            origin.user(percentEncoded: true) == nil, hop.url.isSameOrigin(as: origin)
        else { return nil }
        return authentication
    }

    /// Returns the step that answers the challenge in a response; `nil` if it requires no answer.
    func challengeAnswer(
        to head: ResponseHead, _ hop: TransportRequest
    ) throws(TransportFailure) -> Authentication.Step? {
        guard let authentication = authentication(for: hop) else { return nil }
        let (sent, answers) = state.withLock { ($0.authorization, $0.machine.answers) }
        guard head.status == 401 else {
            if let sent { authentication.accept(sent, head) }
            return nil
        }
        return try authentication.answer(to: head, hop, sent: sent, answers: answers)
    }
}
