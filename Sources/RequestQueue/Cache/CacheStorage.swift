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
