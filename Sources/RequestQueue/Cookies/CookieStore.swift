/// The cookies of a client.
public final class CookieStore: Sendable {
    public init() {}

    /// The value of the `Cookie` field for a request to a URL; nil without one.
    package func header(for url: URL) -> String? { nil }

    /// Keeps the cookies of the `Set-Cookie` fields of a response from a URL.
    package func receive(_ headers: HTTPHeaders, from url: URL) {}
}
