/// That a request will be sent again, when, and why.
public struct RequestRetry: Sendable {
    /// Why it will be.
    public enum Reason: Sendable {
        /// The server answered with a status of ``RetryPolicy/statuses``.
        case status(Int)
        /// It failed, in one of the ways of ``RetryPolicy/failures``.
        case failure(RequestError)
    }

    /// The number of the attempt that follows: 2 for the first repetition.
    public let attempt: Int
    /// How long after the answer or the failure it begins.
    public let delay: Duration
    /// What became of the attempt before.
    public let reason: Reason
}

extension RequestRetry: CustomStringConvertible {
    /// As `attempt 2 in 0.25 seconds, after 503`.
    public var description: String {
        let cause =
            switch reason {
            case .status(let status): "\(status)"
            case .failure(let error): "\(error)"
            }
        return "attempt \(attempt) in \(delay), after \(cause)"
    }
}
