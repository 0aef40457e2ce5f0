import Synchronization

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
