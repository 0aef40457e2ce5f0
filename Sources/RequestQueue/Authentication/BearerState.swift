/// A token, the running refresh, and the receivers that wait for it.
struct BearerState: Sendable {
    /// A token and the number of completed refreshes when it was returned.
    typealias Taken = Result<(token: String, refreshes: Int), TransportFailure>
    typealias Receiver = @Sendable (Taken) -> Void

    enum Step: Sendable {
        case done(Taken)
        /// The receiver is called when the running refresh ends.
        case wait
        /// The receiver is called when the refresh with this number ends, which the caller has to start.
        case refresh(Int)
    }

    private(set) var token: String?
    /// The number of completed refreshes, including failed ones.
    private var refreshes = 0
    /// The failure of the last refresh.
    private var failure: TransportFailure?
    /// The receivers that wait for the running refresh; `nil` if none is running.
    private var receivers: [Receiver]?
    /// The time limit of the running refresh.
    private var alarm: Alarm?

    /// Creates the state.
    ///
    /// - Parameter token: The initial token; an invalid one, such as an empty one, is refreshed.
    init(token: String?) { self.token = token.flatMap { try? Self.checked($0).get() } }

    /// Returns the step that provides a token.
    ///
    /// - Parameters:
    ///   - refused: The refresh count of a rejected token.
    ///   - receiver: Called when a running refresh ends.
    mutating func take(refused: Int?, _ receiver: @escaping Receiver) -> Step {
        if receivers != nil {
            receivers?.append(receiver)
            return .wait
        }
        let isOutdated = refused.map { $0 < refreshes } ?? true
        // A request with an older token shares the result of the later refresh; a refresh that failed because of the
        // network is repeated.
        if refused != nil, isOutdated, let failure {
            if failure.kind == .authenticationFailed { return .done(.failure(failure)) }
        } else if let token, isOutdated {
            return .done(.success((token, refreshes)))
        }
        receivers = [receiver]
        return .refresh(refreshes)
    }

    /// Stores the time limit of a refresh.
    ///
    /// - Returns: Whether the refresh is still running.
    mutating func watch(_ number: Int, by alarm: Alarm) -> Bool {
        guard receivers != nil, number == refreshes else { return false }
        self.alarm = alarm
        return true
    }

    /// The result of a refresh and the receivers to call.
    typealias End = (alarm: Alarm?, receivers: [Receiver], taken: Taken)

    /// Ends a refresh; returns `nil` if it has already ended.
    mutating func end(_ number: Int, with result: Result<String, TransportFailure>) -> End? {
        guard let receivers, number == refreshes else { return nil }
        let result = result.flatMap(Self.checked)
        refreshes += 1
        failure = nil
        switch result {
        case .success(let token): self.token = token
        case .failure(let failure): self.failure = failure
        }
        defer { (self.receivers, alarm) = (nil, nil) }
        return (alarm, receivers, result.map { ($0, refreshes) })
    }

    static let invalidToken = TransportFailure(
        .authenticationFailed, "the token is empty or contains invalid characters")

    /// Validates that a token can be sent in a header field.
    private static func checked(_ token: String) -> Result<String, TransportFailure> {
        if !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return .success(token) }
        return .failure(invalidToken)
    }
}
