/// The connections of a transport, separate for each set of TLS options.
///
/// A connection with a client certificate, or to an unverified server, must not be reused for other options. Up to
/// eight sets of connections are kept, the most recently used; others are closed after their last use.
package final class TLSPartitions<Connections: AnyObject & Sendable>: Sendable {
    private typealias Partition = (options: TLSOptions, connections: Connections)

    private let make: @Sendable (TLSOptions) -> Connections
    /// Ordered by last use, most recent first.
    private let partitions = Mutex<[Partition]>([])
    private let limit = 8

    /// Creates partitions lazily.
    package init(_ make: @escaping @Sendable (TLSOptions) -> Connections) {
        self.make = make
    }

    /// Removes all connections; their end comes with their last user.
    package func removeAll() {
        // They end outside the lock.
        _ = partitions.withLock { partitions in
            defer { partitions = [] }
            return partitions
        }
    }

    /// The connections of requests with certain options.
    package subscript(options: TLSOptions) -> Connections {
        // A removed partition is released outside the lock.
        let (connections, _) = partitions.withLock { partitions -> (Connections, Partition?) in
            let index = partitions.firstIndex { $0.options == options }
            let partition: Partition = index.map { partitions.remove(at: $0) } ?? (options, make(options))
            partitions.insert(partition, at: 0)
            return (partition.connections, partitions.count > limit ? partitions.removeLast() : nil)
        }
        return connections
    }
}
