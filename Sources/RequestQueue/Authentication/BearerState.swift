/// A token, the refresh that runs, and who waits for it.
struct BearerState: Sendable {
    /// A token and the number of refreshes that had ended when it was handed over.
    typealias Taken = Result<(token: String, refreshes: Int), TransportFailure>
    typealias Receiver = @Sendable (Taken) -> Void

    enum Step: Sendable {
        case done(Taken)
        /// The receiver is called when the refresh that runs has ended.
        case wait
        /// The same, and a refresh of this number is to begin.
        case refresh(Int)
    }

    private(set) var token: String?
    /// How many have ended, well or not.
    private var refreshes = 0
    /// Why the last one ended without a token.
    private var failure: TransportFailure?
    /// Who waits for the refresh that runs; nil while none does.
    private var receivers: [Receiver]?
    /// Its time limit.
    private var alarm: Alarm?

    /// - Parameter token: One that cannot be sent, as an empty one, is replaced by a refresh.
    init(token: String?) { self.token = token.flatMap { try? Self.checked($0).get() } }

    /// - Parameter refused: Of a token that was not taken, the number of refreshes when it was handed over.
    mutating func take(refused: Int?, _ receiver: @escaping Receiver) -> Step {
        if receivers != nil {
            receivers?.append(receiver)
            return .wait
        }
        let isOutdated = refused.map { $0 < refreshes } ?? true
        // Whoever was sent with an older token shares in what came of the refresh since; what the network kept from
        // succeeding is tried again.
        if refused != nil, isOutdated, let failure {
            if failure.kind == .authenticationFailed { return .done(.failure(failure)) }
        } else if let token, isOutdated {
            return .done(.success((token, refreshes)))
        }
        receivers = [receiver]
        return .refresh(refreshes)
    }

    /// Notes the time limit of a refresh.
    ///
    /// - Returns: Whether the refresh still runs.
    mutating func watch(_ number: Int, by alarm: Alarm) -> Bool {
        guard receivers != nil, number == refreshes else { return false }
        self.alarm = alarm
        return true
    }

    /// What the end of a refresh brings about.
    struct End: Sendable {
        let alarm: Alarm?
        let receivers: [Receiver]
        let taken: Taken
    }

    /// A refresh ends; nil if it had ended before.
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
        return End(alarm: alarm, receivers: receivers, taken: result.map { ($0, refreshes) })
    }

    /// A token that may stand in a field.
    private static func checked(_ token: String) -> Result<String, TransportFailure> {
        if !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return .success(token) }
        let cause = "the token is empty, or has characters that no token has"
        return .failure(TransportFailure(.authenticationFailed, cause))
    }
}
