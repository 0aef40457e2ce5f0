import Dispatch
import Synchronization

/// Responses of earlier requests, kept in a folder or in memory (RFC 9111, as a private cache).
///
/// ```swift
/// let folder = URL.cachesDirectory.appending(path: "responses")
/// client.cache = RequestCache(directory: folder, sizeLimit: 64 << 20)
/// let first = try await client.get("/films")   // from the server
/// let again = try await client.get("/films")   // again.isFromCache, if the server allows it
/// ```
///
/// ``RESTClient/cachePolicy`` tells what stored responses are used for. A response is given only to requests of the same
/// credentials and cookies as those it was stored for, and with the same values of all fields that its `Vary` names.
///
/// Nothing that happens to the folder harms a request: a file that is damaged is not there, and what cannot be stored is
/// asked for again; ``statistics`` counts both. Any number of caches and processes may use one folder at once.
public final class RequestCache: Sendable {
    private struct State: Sendable {
        var storage: Storage
        var statistics = Statistics()
        var lastError: RequestError?
        /// Bytes that wait to be stored.
        var waiting: Int64 = 0
        /// Counts invalidations, and when which URL was invalidated last, by its digest.
        var invalidations = 0
        var invalidated: [String: Int] = [:]
        /// When all was invalidated, or the list became too long.
        var allInvalidated = 0

        mutating func fail(_ failure: TransportFailure) {
            statistics.failures += 1
            lastError = RequestError(failure.kind, failure.cause)
        }
    }

    let clock: CacheClock
    let entryLimit: Int64
    private let storages: [Storage: any CacheStorage]
    private let folder: CacheFolder
    private let state: Mutex<State>
    /// All that reads and writes, one after the other: a request sees what was done before it.
    private let queue = DispatchQueue(label: "mappingkit.cache", qos: .userInitiated)
    /// Evicting goes over many files, and nobody waits for it.
    private let evicting = DispatchQueue(label: "mappingkit.cache.evicting", qos: .utility)

    /// A cache in a folder, which is made when the first response is stored, with the permissions 0700.
    ///
    /// - Parameters:
    ///   - directory: A folder of the cache's own; other files in it are left alone.
    ///   - sizeLimit: Bytes of all responses, 64 MiB unless told, for each ``Storage``; beyond it those are removed that
    ///     were not used for the longest time. For a while it may be exceeded by an eighth, by each process.
    ///   - entryLimit: Bytes of a response above which it is not stored, 8 MiB unless told; as much is in memory when one
    ///     is loaded.
    ///   - storage: Where responses are stored at first.
    public convenience init(
        directory: URL, sizeLimit: Int64 = 64 << 20, entryLimit: Int64 = 8 << 20, storage: Storage = .permanent
    ) {
        self.init(
            directory: directory, sizeLimit: sizeLimit, entryLimit: entryLimit, storage: storage, clock: CacheClock())
    }

    /// A cache with a clock of its own.
    init(directory: URL, sizeLimit: Int64, entryLimit: Int64, storage: Storage, clock: CacheClock) {
        self.clock = clock
        // No larger number than files have, to which something may be added.
        self.entryLimit = min(max(entryLimit, 0), sizeLimit, 1 << 40)
        folder = CacheFolder(
            at: directory, sizeLimit: sizeLimit,
            fileLimit: self.entryLimit + Int64(CacheFile.headLimit) + 1024)
        storages = [.session: CacheMemory(sizeLimit: sizeLimit), .permanent: folder]
        state = Mutex(State(storage: storage))
    }

    /// Where responses are stored from now on; those that are stored are loaded from both.
    public var storage: Storage {
        get { state.withLock { $0.storage } }
        set { state.withLock { $0.storage = newValue } }
    }

    /// What the cache has done so far.
    public var statistics: Statistics { state.withLock { $0.statistics } }

    /// Why a response could not be stored the last time that one could not: an error of kind `fileNotWritable`.
    public var lastError: RequestError? { state.withLock { $0.lastError } }

    /// Forgets what is stored for a URL, for all who asked and in all variants.
    ///
    /// No request that is sent from now on is given it, and no response under way is stored any more; its files are
    /// removed in the background.
    public func invalidate(_ url: URL) {
        let prefix = CacheKey.digest(of: url)
        state.withLock { state in
            state.invalidations += 1
            state.invalidated[prefix] = state.invalidations
            guard state.invalidated.count > 1000 else { return }
            state.allInvalidated = state.invalidations
            state.invalidated = [:]
        }
        queue.async { for storage in self.storages.values { storage.removeAll(beginningWith: prefix) } }
    }

    /// Forgets everything, or what is in one storage, as when a user logs out; see ``invalidate(_:)``.
    public func invalidateAll(_ storage: Storage? = nil) {
        state.withLock { state in
            state.invalidations += 1
            state.allInvalidated = state.invalidations
        }
        queue.async {
            for (kind, entries) in self.storages where storage == nil || storage == kind {
                entries.removeAll(beginningWith: "")
            }
        }
    }

    /// Does something on the cache's own thread, after all that was begun before.
    func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Keeps a response, unless its URL was invalidated since its request was sent.
    ///
    /// Nobody waits for it but who asks the cache later.
    ///
    /// - Parameters:
    ///   - response: Not larger than the limit of one.
    ///   - places: As `find` told them.
    ///   - instant: Of `invalidations`, when the request was sent.
    func storeLater(_ response: CachedResponse, _ key: CacheKey, _ places: [Storage: Int], since instant: Int) {
        let size = Int64(response.body.count)
        let isTaken = state.withLock { state in
            guard state.waiting + size <= 4 * entryLimit else {
                state.fail(
                    TransportFailure(
                        .fileNotWritable, "the disk is too slow: \(state.waiting) bytes wait to be stored already"))
                return false
            }
            state.waiting += size
            return true
        }
        guard isTaken else { return dropLater(key, places) }
        enqueue {
            self.store(response, key, places, since: instant)
            self.state.withLock { $0.waiting -= size }
        }
    }

    /// Forgets what is in some places, after something newer that is not stored.
    func dropLater(_ key: CacheKey, _ places: [Storage: Int]) {
        enqueue { for (kind, variant) in places { self.storages[kind]?.remove(key.name(variant)) } }
    }

    /// Waits until all that was begun is done.
    func settle() async {
        await withCheckedContinuation { done in
            queue.async { self.evicting.async { done.resume() } }
        }
    }

    func count(_ change: (inout Statistics) -> Void) { state.withLock { change(&$0.statistics) } }

    /// Tells an instant among invalidations.
    var invalidations: Int { state.withLock { $0.invalidations } }
}

// On the cache's own thread.
extension RequestCache {
    /// What goes into every digest of a secret, so that none can be looked up in a list made beforehand.
    var salt: String { folder.salt }

    /// The newest stored response that answers a request, and the places for the response to the request: that of the
    /// one that answers it already, a free one, or that of the oldest.
    func find(_ key: CacheKey, for message: HTTPHeaders) -> (found: CachedResponse?, places: [Storage: Int]) {
        var places: [Storage: Int] = [:]
        var newest: (response: CachedResponse, name: String, storage: any CacheStorage)?
        for (kind, storage) in storages {
            var oldest: (variant: Int, time: Date)?
            var free: Int?
            var own: (variant: Int, time: Date)?
            for variant in CacheKey.variants {
                let name = key.name(variant)
                guard let response = entry(name, in: storage) else {
                    free = free ?? variant
                    continue
                }
                let time = response.responseTime
                if time < oldest?.time ?? .distantFuture { oldest = (variant, time) }
                guard response.variation.holds(for: message, salt: salt), time >= own?.time ?? .distantPast else {
                    continue
                }
                own = (variant, time)
                if time >= newest?.response.responseTime ?? .distantPast { newest = (response, name, storage) }
            }
            places[kind] = own?.variant ?? free ?? oldest?.variant
        }
        if let newest { newest.storage.touch(newest.name, at: clock.now) }
        return (newest?.response, places)
    }

    private func store(_ response: CachedResponse, _ key: CacheKey, _ places: [Storage: Int], since instant: Int) {
        let (kind, isValid) = state.withLock { state in
            (state.storage, max(state.invalidated[key.url] ?? 0, state.allInvalidated) <= instant)
        }
        guard isValid, let storage = storages[kind] else { return }
        let name = key.name(places[kind] ?? 0)
        let data = CacheFile.encode(response, name: name)
        guard data.count - response.body.count <= CacheFile.headLimit else { return }
        do throws(TransportFailure) {
            try storage.store(data, as: name, at: clock.now)
            count { $0.stored += 1 }
        } catch { state.withLock { $0.fail(error) } }
        evicting.async { self.evict(storage) }
    }

    private func evict(_ storage: any CacheStorage) {
        let evicted = storage.evict()
        if evicted > 0 { count { $0.evicted += evicted } }
    }

    private func entry(_ name: String, in storage: any CacheStorage) -> CachedResponse? {
        guard let data = storage.data(of: name) else { return nil }
        if let response = CacheFile.decode(data, name: name) { return response }
        storage.remove(name)
        count { $0.damaged += 1 }
        return nil
    }
}
