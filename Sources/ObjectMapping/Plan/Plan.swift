/// A mapping compiled to plain data: nodes of entries that decodes run over.
final class Plan: @unchecked Sendable {  // guarded by never changing once `PlanBuilder` has made it
    /// What a rule reads and sets, for messages.
    struct Rule: CustomStringConvertible {
        var source: String
        var destination: @Sendable () -> String

        var description: String { "\(source.isEmpty ? "the value" : source) -> \(destination())" }
    }

    let root: UnsafeMutablePointer<Node>
    let nodes: [UnsafeMutablePointer<Node>]
    let models: IdentityList<ModelBox>
    let rules: [Rule]
    /// Whether rules want to know what stands around an object.
    let keepsContext: Bool
    /// Whether some of them want the whole payload.
    let readsRoot: Bool
    /// The first keys of the paths of those rules' sources, by their numbers, and how many such paths there are.
    let contextKeys: UnsafeMutablePointer<Node>?
    let contextPathCount: Int
    /// For each node the rules of its mapping by their numbers, as written; none for a step of key paths.
    let outlines: [[Int32]]
    private let entries: [UnsafeMutablePointer<Entry>]
    private let boxes: [AnyObject]

    init(
        root: UnsafeMutablePointer<Node>, nodes: [UnsafeMutablePointer<Node>], entries: [UnsafeMutablePointer<Entry>],
        models: IdentityList<ModelBox>, boxes: [AnyObject], rules: [Rule], outlines: [[Int32]],
        keepsContext: Bool, readsRoot: Bool, contextKeys: UnsafeMutablePointer<Node>?,
        contextPathCount: Int
    ) {
        self.root = root
        self.nodes = nodes
        self.entries = entries
        self.models = models
        self.boxes = boxes
        self.rules = rules
        self.keepsContext = keepsContext
        self.readsRoot = readsRoot
        self.contextKeys = contextKeys
        self.contextPathCount = contextPathCount
        self.outlines = outlines
    }

    deinit {
        for node in nodes {
            node.pointee.free()
            node.deallocate()
        }
        for entry in entries { entry.deallocate() }
    }
}

extension Node {
    /// A node without rules, to be pointed at before it is filled.
    static func empty(id: Int) -> UnsafeMutablePointer<Node> {
        let node = UnsafeMutablePointer<Node>.allocate(capacity: 1)
        node.initialize(
            to: Node(
                entries: .allocate(capacity: 0), keys: .allocate(capacity: 0), count: 0, id: id,
                table: .allocate(capacity: 1), tableMask: 0, required: 0, isWide: false))
        node.pointee.table.initialize(to: 0)
        return node
    }

    /// Takes over the entries of the keys.
    mutating func fill(_ members: [(key: String, entry: Entry)]) {
        entries.deallocate()
        keys.deallocate()
        table.deallocate()
        count = members.count
        entries = .allocate(capacity: count)
        keys = .allocate(capacity: count)
        var capacity = 4
        while capacity < count * 2 { capacity *= 2 }
        table = .allocate(capacity: capacity)
        table.initialize(repeating: 0, count: capacity)
        tableMask = capacity - 1
        isWide = count > 64
        for (index, member) in members.enumerated() {
            let utf8 = Array(member.key.utf8)
            let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: utf8.count + 16)
            bytes.initialize(repeating: 0, count: utf8.count + 16)
            bytes.update(from: utf8, count: utf8.count)
            (keys + index).initialize(to: KeyText(Bytes(bytes), utf8.count))
            (entries + index).initialize(to: member.entry)
            if member.entry.isRequired || member.entry.isClearedWhenAbsent, index < 64 {
                required |= 1 << UInt64(index)
            }
            var place = Int(truncatingIfNeeded: Node.hash(Bytes(bytes), utf8.count)) & tableMask
            while table[place] != 0 { place = (place + 1) & tableMask }
            table[place] = UInt16(truncatingIfNeeded: index + 1)
        }
    }

    /// Notes what an object needs beside the reading of its keys, once all of that is known.
    mutating func setFlags(keepsContext: Bool) {
        self.keepsContext = keepsContext
        opens = isWide || keepsContext
        finishes = opens || whole != nil || completion != nil
    }

    fileprivate func free() {
        for index in 0..<count { keys[index].bytes.deallocate() }
        entries.deallocate()
        keys.deallocate()
        table.deallocate()
    }
}
