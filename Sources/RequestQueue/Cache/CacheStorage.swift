/// A storage for the bytes of responses, by name.
protocol CacheStorage: Sendable {
    /// Returns the first bytes stored under a name; `nil` if the name is not stored or its bytes cannot be read.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - limit: The maximum number of bytes.
    func data(of name: String, upTo limit: Int) -> Data?

    /// Stores bytes under a name, replacing existing bytes. The caller checks their size.
    func store(_ data: Data, as name: String, at now: Date) throws(TransportFailure)

    /// Marks the bytes of a name as recently used.
    func touch(_ name: String, at now: Date)

    /// Removes the bytes of a name if they exist.
    ///
    /// - Throws: `fileNotWritable` if they were not removed; ``data(of:upTo:)`` no longer returns them in any case.
    func remove(_ name: String) throws(TransportFailure)

    /// Removes the bytes of all names with a prefix.
    ///
    /// - Throws: `fileNotWritable` if some were not removed; ``data(of:upTo:)`` no longer returns them in any case.
    func removeAll(beginningWith prefix: String) throws(TransportFailure)

    /// Removes the least recently used bytes if the size exceeds the limit.
    ///
    /// - Returns: The number of removed names.
    func evict() -> Int
}

/// The size and last use of a stored response, by which eviction selects responses.
struct CacheUse {
    var name: String
    var size: Int64
    var lastUse: Date

    static func size(of uses: [CacheUse]) -> Int64 { uses.reduce(0) { $0 + $1.size } }

    /// Returns the least recently used names to remove so that a tenth of the limit becomes free.
    ///
    /// Returns an empty array while the limit is not exceeded.
    static func victims(among uses: [CacheUse], limit: Int64) -> [CacheUse] {
        var total = size(of: uses)
        guard total > limit else { return [] }
        return Array(
            uses.sorted { $0.lastUse < $1.lastUse }.prefix { use in
                defer { total -= use.size }
                return total > limit - limit / 10
            })
    }
}

/// Stores responses in memory until the cache is released.
final class CacheMemory: CacheStorage {
    private struct Entry {
        var data: Data
        var lastUse: Date
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var size: Int64 = 0

        mutating func remove(_ name: String) {
            if let entry = entries.removeValue(forKey: name) { size -= Int64(entry.data.count) }
        }
    }

    private let state = Mutex(State())
    private let sizeLimit: Int64

    init(sizeLimit: Int64) { self.sizeLimit = sizeLimit }

    func data(of name: String, upTo limit: Int) -> Data? { state.withLock { $0.entries[name]?.data.prefix(limit) } }

    func store(_ data: Data, as name: String, at now: Date) {
        state.withLock { state in
            state.remove(name)
            state.entries[name] = Entry(data: data, lastUse: now)
            state.size += Int64(data.count)
        }
    }

    func touch(_ name: String, at now: Date) { state.withLock { $0.entries[name]?.lastUse = now } }

    func remove(_ name: String) { state.withLock { $0.remove(name) } }

    func removeAll(beginningWith prefix: String) {
        state.withLock { state in
            for name in state.entries.keys where name.hasPrefix(prefix) { state.remove(name) }
        }
    }

    func evict() -> Int {
        state.withLock { state in
            guard state.size > sizeLimit else { return 0 }
            let uses = state.entries.map {
                CacheUse(name: $0, size: Int64($1.data.count), lastUse: $1.lastUse)
            }
            let victims = CacheUse.victims(among: uses, limit: sizeLimit)
            for victim in victims { state.remove(victim.name) }
            return victims.count
        }
    }
}
