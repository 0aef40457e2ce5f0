/// The rules by which stored responses are used; options can be combined.
///
/// ```swift
/// client.cache = RequestCache(directory: folder)
/// client.cachePolicy = [.etag, .loadIfOffline]
/// ```
///
/// With any option, responses to GET are stored as HTTP allows it: complete responses with a status of 2xx, unless the
/// server sends `no-store`. ``standard`` follows the rules of HTTP for private caches (RFC 9111). The other options
/// override them: they also use responses that the server requires to be validated first (`no-cache`,
/// `must-revalidate`), as offline apps need.
///
/// The field `Cache-Control` of a request restricts its policy: `no-cache` sends the request to the server, `no-store`
/// bypasses the cache, `max-age`, `min-fresh` and `max-stale` limit the age, and `only-if-cached` never sends the
/// request.
public struct CachePolicy: OptionSet, Sendable, Hashable {
    /// The raw bits of the options.
    public let rawValue: Int

    /// Creates options from raw bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Does not store or load responses.
    public static let never: CachePolicy = []
    /// Loads a stored response if ``RESTRequest/reachabilityObserver`` reports that the server cannot be reached.
    public static let loadIfOffline = CachePolicy(rawValue: 1 << 0)
    /// Loads a stored response instead of a network error, such as a lost connection or a timeout.
    ///
    /// A response with an error status is not a network error.
    public static let loadOnError = CachePolicy(rawValue: 1 << 1)
    /// Validates a stored response with its `ETag` or `Last-Modified`, and returns it if the server responds with 304.
    public static let etag = CachePolicy(rawValue: 1 << 2)
    /// Loads a stored response of any age without a request to the server.
    public static let enabled = CachePolicy(rawValue: 1 << 3)
    /// Loads a stored response without a request for ``RESTRequest/cacheTimeout`` after it was received or validated.
    public static let timeout = CachePolicy(rawValue: 1 << 4)
    /// Loads a stored response while it is fresh, and then validates it as ``etag`` does.
    ///
    /// Freshness is determined by `Cache-Control`, `Expires` and `Age`. A response without them is never fresh:
    /// `Last-Modified` is not used to estimate a lifetime. After an error, `stale-if-error` is applied (RFC 5861).
    public static let standard = CachePolicy(rawValue: 1 << 5)
}
