import Synchronization

/// The keys that one decode has read.
struct SeenKeys: ~Copyable {
    private let plan: Plan
    private let orders: KeyOrders
    private let first: Ref<KeyOrder>
    /// Whether the key of each entry was read, for open objects with many entries.
    private var wide: [Bool] = []

    init(_ plan: Plan) {
        self.plan = plan
        orders = plan.keyOrders.withLock { $0.take() } ?? KeyOrders(count: plan.nodes.count)
        first = orders.first
    }

    deinit { if !orders.isLong { plan.keyOrders.withLock { $0 = orders } } }

    /// The order in which the keys of a node were read.
    @inline(__always) func order(of node: NodeRef) -> Ref<KeyOrder> { first + node.pointee.id }

    // MARK: Objects with more entries than the fast path can mark

    /// Opens an object; returns the position of its first entry.
    mutating func openWide(_ count: Int) -> Int {
        wide += repeatElement(false, count: count)
        return wide.count - count
    }

    /// Marks the entry at a position; returns whether it was marked before.
    mutating func markWide(_ position: Int) -> Bool {
        defer { wide[position] = true }
        return wide[position]
    }

    func wasSeen(_ position: Int) -> Bool { wide[position] }

    mutating func closeWide(_ first: Int) { wide.removeLast(wide.count - first) }

    /// Forgets the objects that are open.
    mutating func reset() { if !wide.isEmpty { wide.removeAll(keepingCapacity: true) } }
}

/// The order of keys of each node of a plan.
final class KeyOrders: @unchecked Sendable {  // used by one decode at a time
    let first: Ref<KeyOrder>
    private let count: Int

    init(count: Int) {
        self.count = count
        first = .allocate(capacity: count)
        for index in 0..<count { (first + index).initialize(to: KeyOrder()) }
    }

    deinit {
        first.deinitialize(count: count)
        first.deallocate()
    }

    /// Whether one of them has so many keys that another decode should learn them anew.
    var isLong: Bool { (0..<count).contains { (first + $0).pointee.isLong } }
}

/// The order in which the keys of one node's objects were read, to predict the next key.
struct KeyOrder: ~Copyable {
    struct Learned {
        var key: KeyText
        /// The index of the node's entry; -1 for a key without rules.
        var entry: Int
        /// The key that followed it last time; -1 for none.
        var next: Int
    }

    private static var limit: Int { 128 }
    /// Longer keys are not predicted: a prediction can read as many bytes as the key has.
    static var longestKey: Int { 48 }

    private(set) var learned = GrowingMemory<Learned>(capacity: 16)
    /// The first key of the last object; -1 for none.
    private(set) var first = -1
    /// The number of objects that were read.
    var visits = 0

    var isLong: Bool { learned.count > KeyOrder.limit / 2 }

    deinit {
        for index in 0..<learned.count where learned.start[index].entry == -1 {
            learned.start[index].key.bytes.deallocate()
        }
    }

    /// Learns a key and its predecessor; returns the key's index, or -1 if there is no space.
    ///
    /// - Parameters:
    ///   - entry: The index of the key's entry in the node; -1 for a key without rules.
    ///   - previous: The index of the learned key before it; -1 for the first key, -2 after one that was not learned.
    mutating func learn(_ bytes: Bytes, _ size: Int, entry: Int, of node: NodeRef, after previous: Int) -> Int {
        let index = index(of: bytes, size, entry, node)
        if previous >= 0 {
            learned.start[previous].next = index
        } else if previous == -1 {
            first = index
        }
        return index
    }

    private mutating func index(of bytes: Bytes, _ size: Int, _ entry: Int, _ node: NodeRef) -> Int {
        guard size <= KeyOrder.longestKey else { return -1 }
        if let known = position(of: bytes, size, entry) { return known }
        guard learned.count < KeyOrder.limit else { return -1 }
        // The plan retains the bytes of its keys.
        let key = entry >= 0 ? node.pointee.keys[entry] : KeyText(copying: bytes, size)
        learned.append(Learned(key: key, entry: entry, next: -1))
        return learned.count - 1
    }

    private func position(of bytes: Bytes, _ size: Int, _ entry: Int) -> Int? {
        let known = learned.start
        if entry >= 0 { return (0..<learned.count).first { known[$0].entry == entry } }
        let head = KeyText(bytes, size).head
        return (0..<learned.count).first {
            let known = known[$0]
            return known.entry == -1 && known.key.head == head && known.key.count == size
                && known.key.bytes.isSame(as: bytes, size)
        }
    }
}
