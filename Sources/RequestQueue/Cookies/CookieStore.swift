/// The cookies of a client, stored in memory (RFC 6265).
///
/// It holds up to 180 cookies per domain and 3,000 in total. Beyond that, the least recently sent cookies are removed.
public final class CookieStore: Sendable {
    private struct Entry: Sendable {
        var cookie: Cookie
        /// The order in which a cookie with this name, domain and path was first set.
        let order: Int
        var lastUse: Int
    }

    private struct State: Sendable {
        /// Entries by domain; the arrays are not empty.
        var domains: [String: [Entry]] = [:]
        var count = 0
        /// A counter that orders uses.
        var uses = 0
    }

    static let domainLimit = 180
    static let limit = 3000

    private let state = Mutex(State())
    private let now: @Sendable () -> Date

    /// Creates an empty store.
    public convenience init() { self.init { Date() } }

    /// Creates a store with a custom clock.
    package init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// The cookies that have not expired, in the order in which they were first set.
    public var all: [Cookie] {
        let now = now()
        let entries = state.withLock { $0.domains.values.flatMap { $0 } }.filter { !$0.cookie.isExpired(at: now) }
        return entries.sorted { $0.order < $1.order }.map(\.cookie)
    }

    /// Adds a cookie, replacing one with the same name, domain and path; an expired cookie only removes it.
    public func set(_ cookie: Cookie) {
        let now = now()
        state.withLock { insert(cookie, into: &$0, at: now) }
    }

    /// Removes the cookie of the same name, domain and path.
    public func remove(_ cookie: Cookie) {
        state.withLock { state in _ = take(from: &state, cookie.domain) { cookie.replaces($0.cookie) } }
    }

    /// Removes all cookies.
    public func removeAll() {
        state.withLock { $0 = State(uses: $0.uses) }
    }

    /// Returns the `Cookie` field for a URL, with longer paths and then older cookies first; `nil` without cookies.
    package func header(for url: URL) -> String? {
        let now = now()
        let entries = state.withLock { state -> [Entry] in
            guard state.count > 0, let host = url.cookieHost else { return [] }
            state.uses += 1
            var sent: [Entry] = []
            for domain in host.domains {
                guard let entries = state.domains[domain] else { continue }
                for (index, entry) in entries.enumerated()
                where entry.cookie.isSent(to: url) && !entry.cookie.isExpired(at: now) {
                    state.domains[domain]?[index].lastUse = state.uses
                    sent.append(entry)
                }
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

    /// Stores the cookies of the `Set-Cookie` fields in a response from a URL.
    package func receive(_ headers: HTTPHeaders, from url: URL) {
        let fields = headers.values(for: "Set-Cookie")
        guard !fields.isEmpty else { return }
        let now = now()
        let cookies = fields.compactMap { Cookie($0, from: url, at: now) }
        state.withLock { state in
            for cookie in cookies where url.isSecure || !isShadowing(cookie, state) {
                insert(cookie, into: &state, at: now)
            }
        }
    }

    /// Whether a cookie received without TLS would shadow a TLS-only cookie with the same name.
    private func isShadowing(_ cookie: Cookie, _ state: State) -> Bool {
        let below = cookie.isHostOnly ? [] : state.domains.keys.filter { $0.isCookieDomain(cookie.domain) }
        return (cookie.domain.domains + below).contains { domain in
            state.domains[domain]?.contains { $0.cookie.isSecure && $0.cookie.name == cookie.name } ?? false
        }
    }

    private func insert(_ cookie: Cookie, into state: inout State, at now: Date) {
        let replaced = take(from: &state, cookie.domain) { cookie.replaces($0.cookie) }
        guard !cookie.isExpired(at: now) else { return }
        state.uses += 1
        let entry = Entry(cookie: cookie, order: replaced?.order ?? state.uses, lastUse: state.uses)
        state.domains[cookie.domain, default: []].append(entry)
        state.count += 1
        if state.domains[cookie.domain].map(\.count) ?? 0 > CookieStore.domainLimit {
            evict(from: &state, [cookie.domain], at: now)
        }
        if state.count > CookieStore.limit { evict(from: &state, Array(state.domains.keys), at: now) }
    }

    /// Removes a cookie from the domains: an expired one if possible, otherwise the least recently sent one.
    private func evict(from state: inout State, _ domains: [String], at now: Date) {
        let entries = domains.flatMap { state.domains[$0] ?? [] }
        let oldest = entries.first { $0.cookie.isExpired(at: now) } ?? entries.min { $0.lastUse < $1.lastUse }
        guard let oldest else { return }
        _ = take(from: &state, oldest.cookie.domain) { $0.order == oldest.order }
    }

    private func take(from state: inout State, _ domain: String, where isTaken: (Entry) -> Bool) -> Entry? {
        guard let index = state.domains[domain]?.firstIndex(where: isTaken),
            let entry = state.domains[domain]?.remove(at: index)
        else { return nil }
        state.count -= 1
        if state.domains[domain]?.isEmpty == true { state.domains[domain] = nil }
        return entry
    }
}

extension String {
    /// The host and each of its parent domains.
    fileprivate var domains: [String] {
        [self] + indices.filter { self[$0] == "." }.map { String(self[index(after: $0)...]) }
    }
}
