/// What stored responses may be used for; each option allows one more use, and options add up.
///
/// ```swift
/// client.cache = RequestCache(directory: folder)
/// client.cachePolicy = [.etag, .loadIfOffline]
/// ```
///
/// With any option, responses to GET are stored as HTTP allows it: whole ones of status 2xx whose server does not say
/// `no-store`. ``standard`` is what HTTP says of private caches (RFC 9111). The others are the app's word above it: they
/// use responses that the server wants to be asked about first (`no-cache`, `must-revalidate`), as an app must that is
/// to be read offline.
///
/// Fields of a request restrict its policy: `Cache-Control` with `no-cache` asks the server, `no-store` passes the cache
/// by, `max-age`, `min-fresh` and `max-stale` set the age, and `only-if-cached` never asks the server.
public struct CachePolicy: OptionSet, Sendable, Hashable {
    /// The options as bits.
    public let rawValue: Int

    /// Options of bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Nothing is stored and nothing loaded.
    public static let never: CachePolicy = []
    /// A stored response is loaded when the server cannot be reached, as a ``RESTRequest/reachabilityObserver`` tells.
    public static let loadIfOffline = CachePolicy(rawValue: 1 << 0)
    /// A stored response is loaded instead of an error that has to do with the network, as a lost connection or a
    /// time-out; a response of any status is none.
    public static let loadOnError = CachePolicy(rawValue: 1 << 1)
    /// The server is asked whether a stored response still holds, by its `ETag` or `Last-Modified`: 304 loads it.
    public static let etag = CachePolicy(rawValue: 1 << 2)
    /// A stored response is loaded without asking, whatever its age.
    public static let enabled = CachePolicy(rawValue: 1 << 3)
    /// A stored response is loaded without asking for ``RESTRequest/cacheTimeout`` after it came or was confirmed.
    public static let timeout = CachePolicy(rawValue: 1 << 4)
    /// A stored response is loaded without asking while it is fresh by what its server said: `Cache-Control`, `Expires`,
    /// `Age`; then the server is asked as with ``etag``.
    ///
    /// A response whose server said nothing is never fresh: there are no guesses by its `Last-Modified`. After an error,
    /// `stale-if-error` is obeyed (RFC 5861).
    public static let standard = CachePolicy(rawValue: 1 << 5)
}
