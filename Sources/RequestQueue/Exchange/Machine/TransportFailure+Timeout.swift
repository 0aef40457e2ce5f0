extension TransportFailure {
    /// The failure of a request after the time that the system grants in the background.
    static let backgroundTimedOut = TransportFailure(
        .backgroundTimedOut,
        "the system grants no more time in the background; the request has BackgroundPolicy.continue")

    /// Creates the failure of an expired timeout.
    init(timeout kind: RequestError.Kind, limit: Duration, phase: RequestError.Phase) {
        let (name, what) =
            switch kind {
            case .connectTimedOut where phase == .preparing:
                ("connect", "the adapters returned no request after \(limit.inWords)")
            case .connectTimedOut: ("connect", "no connection after \(limit.inWords)")
            case .idleTimedOut: ("idle", "no byte for \(limit.inWords) \(phase.inWords)")
            default: ("total", "not completed after \(limit.inWords)")
            }
        self.init(kind, "\(what); Timeouts.\(name) is \(limit.inSeconds) s")
    }
}

extension RequestError.Phase {
    fileprivate var inWords: String {
        switch self {
        case .preparing, .connecting: "while connecting"
        case .sending: "while sending the body"
        case .waiting: "while waiting for the response"
        case .receiving: "while receiving the response"
        }
    }
}

extension Duration {
    fileprivate var inWords: String { self == .seconds(1) ? "1 second" : "\(inSeconds) seconds" }

    /// The number of seconds, such as `2` or `0.25`.
    fileprivate var inSeconds: String {
        let milliseconds = Int64(self / .milliseconds(1))
        let seconds = Double(milliseconds) / 1000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)" : "\(seconds)"
    }
}
