/// The timeouts of a request; `nil` disables a timeout.
///
/// Time during which the process is suspended does not count.
public struct Timeouts: Sendable, Hashable {
    /// The time to connect, including name lookup and TLS, for each redirect and attempt.
    ///
    /// Defaults to 30 seconds.
    public var connect: Duration?

    /// The time without a byte sent or received while the other side has to act.
    ///
    /// Defaults to 60 seconds.
    ///
    /// Informational responses, such as 102 and 103, are bytes: only ``total`` ends a request whose server sends them
    /// endlessly.
    public var idle: Duration?

    /// The time until the outcome, including redirects and attempts.
    ///
    /// Defaults to `nil`.
    public var total: Duration?

    /// Creates timeouts.
    public init(connect: Duration? = .seconds(30), idle: Duration? = .seconds(60), total: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}
