extension ResourceError {
    /// The kind of failure.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The status is 301, 302, 303, 307 or 308: redirections are not followed.
        case redirection
        /// The status is 400.
        case badRequest
        /// The status is 401.
        case unauthorizedAccess
        /// The status is 402.
        case paymentRequired
        /// The status is 403.
        case forbiddenAccess
        /// The status is 404.
        case notFound
        /// The status is 405; see ``ResourceError/allowedMethods``.
        case methodNotAllowed
        /// The status is 409, such as for a stale lock version.
        case conflict
        /// The status is 410.
        case gone
        /// The status is 412.
        case preconditionFailed
        /// The status is 422, or local validation failed in a call that throws; see ``ResourceError/errors``.
        case invalid
        /// The status is 429.
        case tooManyRequests
        /// The status is 451.
        case unavailableForLegalReasons
        /// The status is another one of 400 to 499.
        case clientError
        /// The status is 500 to 599.
        case serverError
        /// The status is not valid in HTTP, or cannot be used, such as 304 without a conditional request.
        case unknownStatus
        /// The server did not respond in time.
        case timeout
        /// TLS failed.
        case secureConnectionFailed
        /// No server listens at the port.
        case connectionRefused
        /// There is no response for another reason; ``ResourceError/underlying`` is a `RequestError`.
        case connectionFailed
        /// The task was cancelled. The record is unchanged; the server may have processed the request.
        case cancelled
        /// The body does not have the format of the site, or is empty.
        case unexpectedContent
        /// The body has the format, but the mapping does not accept it; ``ResourceError/underlying`` is a
        /// `MappingError`.
        case mappingFailed
        /// The attributes or the parameters of a query cannot be written; nothing was sent.
        case invalidAttributes
        /// The URL of the site or the prefix of the resource cannot be requested; nothing was sent.
        case invalidSite
        /// A prefix parameter has no value; nothing was sent.
        case missingPrefixOption
        /// The record has no identifier, or one that is invalid in a path; nothing was sent.
        case invalidIdentifier
        /// The record is being saved by another call; nothing was sent.
        case saveInProgress
        /// A callback threw an error, which is ``ResourceError/underlying``.
        case callbackFailed
        /// A callback cancelled a save in a call that throws.
        case callbackCancelled

        /// Creates the kind of a status; `nil` for success.
        init?(status: Int) {
            switch status {
            case 301, 302, 303, 307, 308: self = .redirection
            case 200..<400: return nil
            case 400: self = .badRequest
            case 401: self = .unauthorizedAccess
            case 402: self = .paymentRequired
            case 403: self = .forbiddenAccess
            case 404: self = .notFound
            case 405: self = .methodNotAllowed
            case 409: self = .conflict
            case 410: self = .gone
            case 412: self = .preconditionFailed
            case 422: self = .invalid
            case 429: self = .tooManyRequests
            case 451: self = .unavailableForLegalReasons
            case 401..<500: self = .clientError
            case 500..<600: self = .serverError
            default: self = .unknownStatus
            }
        }
    }
}
