/// A private HTTP cache in a folder or in memory (RFC 9111).
///
/// ```swift
/// let folder = URL.cachesDirectory.appending(path: "responses")
/// client.cache = RequestCache(directory: folder, sizeLimit: 64 << 20)
/// let first = try await client.get("/films")   // from the server
/// let again = try await client.get("/films")   // again.isFromCache, if the server allows it
/// ```
///
/// ``RequestSettings/cachePolicy`` sets how stored responses are used. A stored response is returned only for requests with
/// the same credentials and cookies, and with the same values of all fields in its `Vary`.
///
/// Errors in the folder do not fail requests: a damaged file is ignored, and a response that cannot be stored is
/// requested again; ``statistics`` counts both. Several caches and processes can use one folder concurrently.
public final class RequestCache: Sendable {
    private struct State: Sendable {
        var storage: Storage
        var statistics = Statistics()
        var lastError: RequestError?
        /// The bytes that are waiting to be stored.
        var waiting: Int64 = 0
        /// The number of invalidations, and the number at which a URL was last invalidated, by its digest.
        var invalidations = 0
        var invalidated: [String: Int] = [:]
        /// The number at which everything was invalidated, or the list became too long.
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
    /// Serializes reads and writes, so that a request finds the results of earlier operations.
    private let queue = DispatchQueue(label: "mappingkit.cache", qos: .userInitiated)
    /// Eviction visits many files and does not delay reads and writes.
    private let evicting = DispatchQueue(label: "mappingkit.cache.evicting", qos: .utility)

    /// Creates a cache in a folder, which is created with the permissions 0700 when the first response is stored.
    ///
    /// - Parameters:
    ///   - directory: A folder for this cache. Other files in it are ignored.
    ///   - sizeLimit: The maximum size of all responses in bytes, for each ``Storage``. Defaults to 64 MiB. If it is
    ///     exceeded, the least recently used responses are removed. Each process can exceed it temporarily by an
    ///     eighth.
    ///   - entryLimit: The maximum size in bytes of a response that is stored. Defaults to 8 MiB. A response is loaded
    ///     into memory as a whole.
    ///   - storage: The initial ``storage``. Defaults to `.permanent`.
    public convenience init(
        directory: URL, sizeLimit: Int64 = 64 << 20, entryLimit: Int64 = 8 << 20, storage: Storage = .permanent
    ) {
        self.init(
            directory: directory, sizeLimit: sizeLimit, entryLimit: entryLimit, storage: storage, clock: CacheClock())
    }

    /// Creates a cache with a custom clock.
    init(directory: URL, sizeLimit: Int64, entryLimit: Int64, storage: Storage, clock: CacheClock) {
        self.clock = clock
        // Limited, because sums and multiples of larger numbers would overflow.
        let sizeLimit = min(max(sizeLimit, 0), .max / 8)
        self.entryLimit = min(max(entryLimit, 0), sizeLimit)
        folder = CacheFolder(
            at: directory, sizeLimit: sizeLimit,
            fileLimit: self.entryLimit + Int64(CacheFile.headLimit) + 1024)
        storages = [.session: CacheMemory(sizeLimit: sizeLimit), .permanent: folder]
        state = Mutex(State(storage: storage))
    }

    /// The place where new responses are stored; responses are loaded from both places.
    public var storage: Storage {
        get { state.withLock { $0.storage } }
        set { state.withLock { $0.storage = newValue } }
    }

    /// The counts of the cache's operations so far.
    public var statistics: Statistics { state.withLock { $0.statistics } }

    /// The last failure to store or remove a response, an error of kind `fileNotWritable`.
    public var lastError: RequestError? { state.withLock { $0.lastError } }

    /// Removes the stored responses of a URL, for all users and variants.
    ///
    /// Later requests do not load them, and responses of requests in progress are not stored. Files are removed in the
    /// background. If that fails, they are ignored until the process ends, and ``lastError`` contains the cause.
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

    /// Removes all stored responses, or those in one place, for example at logout; see ``invalidate(_:)``.
    ///
    /// - Parameter storage: The place to clear. Defaults to `nil`, which clears both.
    public func invalidateAll(_ storage: Storage? = nil) {
        state.withLock { state in
            state.invalidations += 1
            state.allInvalidated = state.invalidations
        }
        queue.async { self.removeAll(beginningWith: "", in: storage) }
    }

    /// Returns when the responses that were returned before the call are stored.
    ///
    /// Responses are stored after they were returned, so a process that exits immediately loses the last ones.
    /// ``RESTClient/shutdown(cancelsRequests:)`` calls this method.
    public func flush() async {
        await withCheckedContinuation { done in
            queue.async { self.evicting.async { done.resume() } }
        }
    }

    /// Runs work on the cache's queue, after all earlier work.
    func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Stores a response in the background, unless its URL was invalidated since its request was sent.
    ///
    /// - Parameters:
    ///   - response: A response that does not exceed the limit for one response.
    ///   - key: The key of the response.
    ///   - place: The place of the response that it replaces.
    ///   - instant: The value of `invalidations` when the request was sent.
    func storeLater(_ response: CachedResponse, _ key: CacheKey, replacing place: Place?, since instant: Int) {
        let size = Int64(response.body.count)
        let isTaken = state.withLock { state in
            guard state.waiting + size <= 4 * entryLimit else {
                state.fail(
                    TransportFailure(
                        .fileNotWritable, "the disk is too slow: \(state.waiting) bytes are waiting to be stored"))
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

    /// Removes a response after a newer one that is not stored.
    func dropLater(_ place: Place?) {
        if let place { enqueue { self.remove(place.name, in: self.storages[place.storage]) } }
    }

    func count(_ change: (inout Statistics) -> Void) { state.withLock { change(&$0.statistics) } }

    /// The number of invalidations so far.
    var invalidations: Int { state.withLock { $0.invalidations } }
}

// These run on the cache's queue.
extension RequestCache {
    /// The place of a stored response.
    struct Place: Sendable, Hashable {
        let storage: Storage
        let name: String
    }

    /// Part of the digest of each secret, which prevents lookups in precomputed tables.
    var salt: String { folder.salt }

    /// Finds the newest stored response for a request, without its body, and its place.
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
        if let response = head(of: key.name, in: storage), response.variation.names.isEmpty {
            return (response, key.name)
        }
        guard let fields = storage.data(of: key.fieldsName, upTo: .max),
            let variation = Variation(fields: fields, for: message, salt: salt),
            case let name = key.name(of: variation),
            let response = head(of: name, in: storage), response.variation == variation
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
            // Otherwise it would be found first, or again after this one is removed.
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

    /// Reads a stored response with its body.
    ///
    /// - Parameter head: The response without its body.
    /// - Returns: The response; `nil` if it is damaged, or was replaced by another one.
    func complete(_ head: CachedResponse, at place: Place) -> CachedResponse? {
        guard let storage = storages[place.storage], let data = storage.data(of: place.name, upTo: .max),
            let complete = intact(CacheFile.decode(data, name: place.name), place.name, in: storage)
        else { return nil }
        var other = complete
        other.body = Data()
        return other == head ? complete : nil
    }

    private func head(of name: String, in storage: any CacheStorage) -> CachedResponse? {
        guard var data = storage.data(of: name, upTo: Self.firstRead) else { return nil }
        if let end = CacheFile.headEnd(in: data), end > data.count {
            data = storage.data(of: name, upTo: end) ?? Data()
        }
        return intact(CacheFile.decodeHead(data, name: name), name, in: storage)
    }

    /// The number of bytes that contain most heads.
    private static let firstRead = 4096

    /// Returns a decoded response; removes and counts it if it is damaged.
    private func intact(_ response: CachedResponse?, _ name: String, in storage: any CacheStorage) -> CachedResponse? {
        guard response == nil else { return response }
        remove(name, in: storage)
        count { $0.damaged += 1 }
        return nil
    }
}
