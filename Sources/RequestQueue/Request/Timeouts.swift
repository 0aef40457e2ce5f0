/// How long a request waits, in each of three ways; nil waits for ever.
///
/// Time during which the process was stopped does not count.
public struct Timeouts: Sendable, Hashable {
    /// Until the connection is made, name look-up and TLS included, anew for each redirect and attempt; 30 s unless told.
    public var connect: Duration?

    /// Without a byte sent or received while the other side has to act; 60 s unless told.
    public var idle: Duration?

    /// From the start to the outcome, redirects and further attempts included; for ever unless told.
    public var total: Duration?

    /// Times to wait, or those that hold unless told.
    public init(connect: Duration? = .seconds(30), idle: Duration? = .seconds(60), total: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}
