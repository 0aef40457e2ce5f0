/// The reason why a transport could not complete a request.
public struct TransportFailure: Error, Sendable, Hashable {
    /// The kind of the failure.
    public var kind: RequestError.Kind
    /// The cause, as a sentence without its period, with the error code of the library or system.
    public var cause: String

    /// The error that caused the failure, such as that of a body's stream; it is not compared.
    public var underlying: (any Error)?

    /// Whether a reused connection closed before the first byte of the response.
    package var isOfStaleConnection = false

    /// Creates a failure.
    public init(_ kind: RequestError.Kind, _ cause: String, underlying: (any Error)? = nil) {
        self.kind = kind
        self.cause = cause
        self.underlying = underlying
    }

    /// The failure of a request that was cancelled.
    package static let cancelled = TransportFailure(.cancelled, "the request was cancelled")

    /// The failure of a request on a reused connection that closed before the first byte of the response.
    static let staleConnection = {
        var failure = TransportFailure(
            .connectionLost,
            "a reused connection closed before the response; the server may have processed the request")
        failure.isOfStaleConnection = true
        return failure
    }()

    /// Compares kind and cause.
    public static func == (one: TransportFailure, other: TransportFailure) -> Bool {
        one.kind == other.kind && one.cause == other.cause
    }

    /// Hashes kind and cause.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(cause)
    }
}

extension TransportFailure {
    /// Converts an error that was found before the request was sent.
    init(_ error: RequestError) { self.init(error.kind, error.cause, underlying: error.underlying) }

    /// The failure of a body that could not be opened or read.
    package init(bodyError error: any Error, of subject: String = "the body") {
        switch error {
        case let failure as TransportFailure: self = failure
        case let failure as RequestError: self.init(failure)
        default: self.init(.bodyUnreadable, "\(subject) cannot be read: \(causeText(of: error))", underlying: error)
        }
    }

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
    var inSeconds: String {
        let milliseconds = Int64(self / .milliseconds(1))
        let seconds = Double(milliseconds) / 1000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)" : "\(seconds)"
    }
}
