/// Decides what a request does with a redirection.
///
/// ```swift
/// client.redirectPolicy = RedirectPolicy { redirection in
///     redirection.target.host() == "files.example.com" ? .follow(headers: ["X-Trace"]) : .standard
/// }
/// ```
///
/// Without a policy, all decisions are ``Decision/standard``. At most ``RequestSettings/redirectLimit``
/// redirections are followed, and none to another scheme than `http` or `https`, regardless of the policy.
public struct RedirectPolicy: Sendable {
    /// How to handle a redirection.
    public enum Decision: Sendable, Hashable {
        /// Follows the redirection if it is safe; otherwise the request fails as `unsafeRedirect`.
        ///
        /// Redirections from `https` to `http` and those that send a body to another origin are not safe. To another
        /// origin only the fields `Accept`, `Accept-…`, `User-Agent` and `Range` are sent, and with a body its
        /// `Content-…` fields; the client certificate is not used there.
        case standard
        /// Follows the redirection, also from `https` to `http` and with a body to another origin.
        ///
        /// - Parameter headers: Names of further fields that are sent to another origin, such as `X-Trace`.
        case follow(headers: Set<String> = [])
        /// Does not follow the redirection: it is the response.
        case respond
    }

    let decide: @Sendable (Redirection) -> Decision
    /// Distinguishes policies, because closures cannot be compared.
    let identity = Identity()

    final class Identity: Sendable {}

    /// Creates a policy with a closure, which is called for each redirection on the transport's thread: it must not
    /// block.
    public init(_ decide: @escaping @Sendable (Redirection) -> Decision) { self.decide = decide }
}

/// A redirection requested by a server, before it is followed.
public struct Redirection: Sendable, Hashable {
    /// The status code: 301, 302, 303, 307 or 308.
    public let status: Int
    /// The URL that was requested.
    public let source: URL
    /// The URL in `Location`, absolute, without user and password.
    public let target: URL
    /// The method of the next request.
    public let method: HTTPMethod
    /// Whether the next request has the body of this one.
    public let sendsBody: Bool
    /// Whether scheme, host and port of both URLs are the same.
    public let isSameOrigin: Bool

    /// Whether it redirects from `https` to `http`.
    public var isInsecure: Bool { source.isSecure && !target.isSecure }
}

extension Redirection: CustomStringConvertible {
    /// Status and both URLs, without user, password and query.
    public var description: String { "\(status) from \(source.shown) to \(target.shown)" }
}
