/// A scheduled retry of a request: its number, its delay, and its reason.
public struct RequestRetry: Sendable {
    /// The reason for a retry.
    public enum Reason: Sendable {
        /// The server responded with a status in ``RetryPolicy/statuses``.
        case status(Int)
        /// The request failed with a kind in ``RetryPolicy/failures``.
        case failure(RequestError)
    }

    /// The number of the next attempt: 2 for the first retry.
    public let attempt: Int
    /// The delay between the response or failure and the next attempt.
    public let delay: Duration
    /// The outcome of the previous attempt.
    public let reason: Reason
}

extension RequestRetry: CustomStringConvertible {
    /// The attempt, its delay and its reason, such as `attempt 2 in 0.25 seconds, after 503`.
    public var description: String {
        let cause =
            switch reason {
            case .status(let status): "\(status)"
            case .failure(let error): "\(error)"
            }
        return "attempt \(attempt) in \(delay), after \(cause)"
    }
}
