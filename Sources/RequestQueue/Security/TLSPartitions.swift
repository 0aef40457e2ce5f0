import Synchronization

/// What a transport has for each set of TLS options: its connections are made anew for others, as one that was made with
/// a client's certificate, or to a server that was not checked, must not carry a request of other options.
///
/// Of more than eight sets those used last are kept; the others' end comes with their last user.
package final class TLSPartitions<Connections: AnyObject & Sendable>: Sendable {
    private struct Partition: Sendable {
        let options: TLSOptions
        let connections: Connections
    }

    private let make: @Sendable (TLSOptions) -> Connections
    /// The one used last is the first.
    private let partitions = Mutex<[Partition]>([])
    private let limit = 8

    /// Partitions that are made when they are needed.
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
        // What falls out ends outside the lock.
        let (connections, _) = partitions.withLock { partitions -> (Connections, Partition?) in
            let index = partitions.firstIndex { $0.options == options }
            if let index {
                let partition = partitions[index]
                if index > 0 {
                    partitions.remove(at: index)
                    partitions.insert(partition, at: 0)
                }
                return (partition.connections, nil)
            }
            let partition = Partition(options: options, connections: make(options))
            partitions.insert(partition, at: 0)
            return (partition.connections, partitions.count > limit ? partitions.removeLast() : nil)
        }
        return connections
    }
}
