/// Where the bytes of stored responses are, by their names.
protocol CacheStorage: Sendable {
    /// The bytes of a name, if any are there that can be read.
    func data(of name: String) -> Data?

    /// Puts bytes in the place of those that have the name; the one who made them sees to their size.
    ///
    /// - Throws: `fileNotWritable`.
    func store(_ data: Data, as name: String, at now: Date) throws(TransportFailure)

    /// Notes that the bytes of a name are of use.
    func touch(_ name: String, at now: Date)

    /// Removes the bytes of a name, if they are there.
    ///
    /// - Throws: `fileNotWritable` if they are still there; ``data(of:)`` does not return them in any case.
    func remove(_ name: String) throws(TransportFailure)

    /// Removes the bytes of all names that begin so.
    ///
    /// - Throws: `fileNotWritable` if some are still there; ``data(of:)`` does not return them in any case.
    func removeAll(beginningWith prefix: String) throws(TransportFailure)

    /// Removes what was of no use for the longest time, if there is more than the limit.
    ///
    /// - Returns: How much it removed.
    func evict() -> Int
}

/// What evicting goes by.
struct CacheUse {
    var name: String
    var size: Int64
    var lastUse: Date

    static func size(of uses: [CacheUse]) -> Int64 { uses.reduce(0) { $0 + $1.size } }

    /// What has to go so that a tenth of the limit is free again, least recently used first; nothing while it is kept.
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
