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

    /// Why a response could not be stored or removed the last time that one could not: an error of kind `fileNotWritable`.
    public var lastError: RequestError? { state.withLock { $0.lastError } }

    /// Forgets what is stored for a URL, for all who asked and in all variants.
    ///
    /// Later requests do not load it, and responses in flight are not stored. Its files are removed in the background; if
    /// that fails, they are ignored until the process ends, and ``lastError`` has the cause.
    public func invalidate(_ url: URL) {
        let prefix = CacheKey.digest(of: url)
        state.withLock { state in
            state.invalidations += 1
            state.invalidated[prefix] = state.invalidations
            guard state.invalidated.count > 1000 else { return }
            state.allInvalidated = state.invalidations
            state.invalidated = [:]
        }
        queue.async { self.removeAll(beginningWith: prefix, in: nil) }
    }

    /// Forgets everything, or what is in one storage, as when a user logs out; see ``invalidate(_:)``.
    public func invalidateAll(_ storage: Storage? = nil) {
        state.withLock { state in
            state.invalidations += 1
            state.allInvalidated = state.invalidations
        }
        queue.async { self.removeAll(beginningWith: "", in: storage) }
    }

    /// Does something on the cache's own thread, after all that was begun before.
    func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Keeps a response, unless its URL was invalidated since its request was sent.
    ///
    /// Nobody waits for it but who asks the cache later.
    ///
    /// - Parameters:
    ///   - response: Not larger than the limit of one.
    ///   - place: That of the response which it replaces.
    ///   - instant: Of `invalidations`, when the request was sent.
    func storeLater(_ response: CachedResponse, _ key: CacheKey, replacing place: Place?, since instant: Int) {
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
        guard isTaken else { return dropLater(place) }
        enqueue {
            self.store(response, key, replacing: place, since: instant)
            self.state.withLock { $0.waiting -= size }
        }
    }

    /// Forgets a response, after something newer that is not stored.
    func dropLater(_ place: Place?) {
        if let place { enqueue { self.remove(place.name, in: self.storages[place.storage]) } }
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
    /// Where a response is stored.
    struct Place: Sendable, Hashable {
        let storage: Storage
        let name: String
    }

    /// What goes into every digest of a secret, so that none can be looked up in a list made beforehand.
    var salt: String { folder.salt }

    /// The newest stored response that answers a request, and where it is.
    func find(_ key: CacheKey, for message: HTTPHeaders) -> (response: CachedResponse, place: Place)? {
        var newest: (response: CachedResponse, place: Place)?
        for (kind, storage) in storages {
            guard let (response, name) = find(key, for: message, in: storage) else { continue }
            if response.responseTime >= newest?.response.responseTime ?? .distantPast {
                newest = (response, Place(storage: kind, name: name))
            }
        }
        if let place = newest?.place { storages[place.storage]?.touch(place.name, at: clock.now) }
        return newest
    }

    private func find(
        _ key: CacheKey, for message: HTTPHeaders, in storage: any CacheStorage
    ) -> (CachedResponse, name: String)? {
        if let response = entry(key.name, in: storage), response.variation.names.isEmpty { return (response, key.name) }
        guard let fields = storage.data(of: key.fieldsName),
            let variation = Variation(fields: fields, for: message, salt: salt),
            case let name = key.name(of: variation),
            let response = entry(name, in: storage), response.variation == variation
        else { return nil }
        storage.touch(key.fieldsName, at: clock.now)
        return (response, name)
    }

    private func store(_ response: CachedResponse, _ key: CacheKey, replacing place: Place?, since instant: Int) {
        let (kind, isValid) = state.withLock { state in
            (state.storage, max(state.invalidated[key.url] ?? 0, state.allInvalidated) <= instant)
        }
        guard isValid, let storage = storages[kind] else { return }
        let name = key.name(of: response.variation)
        let data = CacheFile.encode(response, name: name)
        guard data.count - response.body.count <= CacheFile.headLimit else { return }
        do throws(TransportFailure) {
            if !response.variation.names.isEmpty {
                try storage.store(response.variation.fields, as: key.fieldsName, at: clock.now)
            }
            try storage.store(data, as: name, at: clock.now)
            count { $0.stored += 1 }
            // It would be found first, or again when this one is gone.
            if let place, place != Place(storage: kind, name: name) { remove(place.name, in: storages[place.storage]) }
        } catch { state.withLock { $0.fail(error) } }
        evicting.async { self.evict(storage) }
    }

    private func removeAll(beginningWith prefix: String, in kind: Storage?) {
        for (other, storage) in storages where kind == nil || kind == other {
            do throws(TransportFailure) { try storage.removeAll(beginningWith: prefix) } catch {
                state.withLock { $0.fail(error) }
            }
        }
    }

    private func remove(_ name: String, in storage: (any CacheStorage)?) {
        do throws(TransportFailure) { try storage?.remove(name) } catch { state.withLock { $0.fail(error) } }
    }

    private func evict(_ storage: any CacheStorage) {
        let evicted = storage.evict()
        if evicted > 0 { count { $0.evicted += evicted } }
    }

    private func entry(_ name: String, in storage: any CacheStorage) -> CachedResponse? {
        guard let data = storage.data(of: name) else { return nil }
        if let response = CacheFile.decode(data, name: name) { return response }
        remove(name, in: storage)
        count { $0.damaged += 1 }
        return nil
    }
}
