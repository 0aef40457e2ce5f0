/// The handling of a loading request when the process leaves the foreground.
///
/// ```swift
/// client.backgroundPolicy = .requeue
/// ```
///
/// With any policy, a queue starts no requests while the process is in the background.
public enum BackgroundPolicy: String, Sendable, Hashable, CaseIterable {
    /// The request continues as far as the system allows, and after a suspension of the process.
    case none
    /// The request is cancelled.
    case cancel
    /// The request continues in the background time that the system grants.
    ///
    /// When the time expires, it fails with an error of kind ``RequestError/Kind/backgroundTimedOut``.
    case `continue`
    /// The request is stopped without an event, requeued, and sent again in the foreground.
    ///
    /// The server may have processed the first attempt. A request whose body can be read only once and was being sent
    /// fails in the foreground with ``RequestError/Kind/bodyNotRepeatable``. A streamed request is cancelled.
    case requeue
}
