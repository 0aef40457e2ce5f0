import Synchronization

/// The cookies of a client, in memory (RFC 6265).
///
/// It holds at most 180 cookies of a domain and 3,000 in all; of more, those go first that were not sent for the longest
/// time.
public final class CookieStore: Sendable {
    private struct Entry: Sendable {
        var cookie: Cookie
        /// When a cookie of its name, domain and path was set first, as a count.
        let order: Int
        var lastUse: Int
    }

    private struct State: Sendable {
        var entries: [Entry] = []
        /// Counts what is set and sent, for the order of uses.
        var uses = 0
    }

    static let domainLimit = 180
    static let limit = 3000

    private let state = Mutex(State())
    private let now: @Sendable () -> Date

    /// An empty store.
    public convenience init() { self.init { Date() } }

    /// A store with a clock of its own.
    package init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// All cookies that are not expired, in the order in which they were set first.
    public var all: [Cookie] {
        let now = now()
        let entries = state.withLock { $0.entries.filter { !$0.cookie.isExpired(at: now) } }
        return entries.sorted { $0.order < $1.order }.map(\.cookie)
    }

    /// Adds a cookie in the place of one of the same name, domain and path; an expired one only removes that.
    public func set(_ cookie: Cookie) {
        let now = now()
        state.withLock { insert(cookie, into: &$0, at: now) }
    }

    /// Removes the cookie of the same name, domain and path.
    public func remove(_ cookie: Cookie) {
        state.withLock { $0.entries.removeAll { cookie.replaces($0.cookie) } }
    }

    /// Removes all cookies.
    public func removeAll() {
        state.withLock { $0.entries = [] }
    }

    /// The value of the field `Cookie` for a request to a URL, longer paths first, then the older; nil without one.
    package func header(for url: URL) -> String? {
        let now = now()
        let entries = state.withLock { state -> [Entry] in
            guard !state.entries.isEmpty else { return [] }
            state.uses += 1
            var sent: [Entry] = []
            for index in state.entries.indices {
                let cookie = state.entries[index].cookie
                guard cookie.isSent(to: url), !cookie.isExpired(at: now) else { continue }
                state.entries[index].lastUse = state.uses
                sent.append(state.entries[index])
            }
            return sent
        }
        guard !entries.isEmpty else { return nil }
        let sorted = entries.sorted {
            let lengths = ($0.cookie.path.utf8.count, $1.cookie.path.utf8.count)
            return lengths.0 == lengths.1 ? $0.order < $1.order : lengths.0 > lengths.1
        }
        return sorted.map { "\($0.cookie.name)=\($0.cookie.value)" }.joined(separator: "; ")
    }

    /// Keeps the cookies of the fields `Set-Cookie` of a response from a URL.
    package func receive(_ headers: HTTPHeaders, from url: URL) {
        let fields = headers.values(for: "Set-Cookie")
        guard !fields.isEmpty else { return }
        let now = now()
        let cookies = fields.compactMap { Cookie($0, from: url, at: now) }
        state.withLock { state in
            for cookie in cookies where !isShadowing(cookie, state, url) { insert(cookie, into: &state, at: now) }
        }
    }

    /// Whether a cookie that came without TLS would take the place of one for TLS only.
    private func isShadowing(_ cookie: Cookie, _ state: State, _ url: URL) -> Bool {
        !url.isSecure
            && state.entries.contains {
                $0.cookie.isSecure && $0.cookie.name == cookie.name
                    && ($0.cookie.domain.isCookieDomain(cookie.domain)
                        || cookie.domain.isCookieDomain($0.cookie.domain))
            }
    }

    private func insert(_ cookie: Cookie, into state: inout State, at now: Date) {
        state.uses += 1
        var order = state.uses
        if let index = state.entries.firstIndex(where: { cookie.replaces($0.cookie) }) {
            order = state.entries.remove(at: index).order
        }
        guard !cookie.isExpired(at: now) else { return }
        state.entries.append(Entry(cookie: cookie, order: order, lastUse: state.uses))
        let ofDomain = state.entries.filter { $0.cookie.domain == cookie.domain }
        guard ofDomain.count > CookieStore.domainLimit || state.entries.count > CookieStore.limit else { return }
        state.entries.removeAll { $0.cookie.isExpired(at: now) }
        evict(from: &state, limit: CookieStore.domainLimit) { $0.cookie.domain == cookie.domain }
        evict(from: &state, limit: CookieStore.limit) { _ in true }
    }

    private func evict(from state: inout State, limit: Int, _ isCounted: (Entry) -> Bool) {
        let counted = state.entries.indices.filter { isCounted(state.entries[$0]) }
        guard counted.count > limit,
            let oldest = counted.min(by: { state.entries[$0].lastUse < state.entries[$1].lastUse })
        else { return }
        state.entries.remove(at: oldest)
    }
}
