/// What becomes of a request that is loading when the process leaves the foreground.
///
/// ```swift
/// client.backgroundPolicy = .requeue
/// ```
///
/// A queue sends nothing new while the process is in the background, whatever the policies of its requests.
public enum BackgroundPolicy: String, Sendable, Hashable, CaseIterable {
    /// Nothing is done: it goes on as far as the system lets it, and after a stop where it was.
    case none
    /// It is cancelled, and whoever listens is told so.
    case cancel
    /// It goes on in the time that the system gives for that.
    ///
    /// When the time is over it ends with an error of kind ``RequestError/Kind/backgroundTimedOut``, as timed out.
    case `continue`
    /// It is stopped without a word, goes back to its place in the line, and is sent anew after the return.
    ///
    /// Its one outcome comes then. What the server did of it before, it did; a body that can be read only once cannot be
    /// sent again; a stream cannot be taken back, and is cancelled.
    case requeue
}
