/// A mapping compiled to plain data: nodes of entries that decodes run over.
final class Plan: @unchecked Sendable {  // guarded by never changing once `PlanBuilder` has made it
    /// What a rule reads and sets, for messages.
    struct Rule: CustomStringConvertible {
        enum Target {
            case rule(RuleStorage)
            case name(@Sendable () -> String)
        }

        let source: String
        let target: Target

        /// What the rule sets.
        var destination: String {
            switch target {
            case .rule(let rule): rule.destination
            case .name(let name): name()
            }
        }

        var description: String { "\(source.isEmpty ? "the value" : source) -> \(destination)" }
    }

    let root: NodeRef
    let rules: [Rule]
    /// For each node the rules of its mapping by their numbers, as written; none for a step of key paths.
    let outlines: [[Int32]]
    /// Whether rules want to know what stands around an object.
    let keepsContext: Bool
    /// Whether some of them want the whole payload.
    let readsRoot: Bool
    /// The first keys of the paths of those rules' sources, by their numbers, and how many such paths there are.
    let contextKeys: NodeRef?
    let contextPathCount: Int
    /// For readers, which reach it without the check of a global constant.
    let powers = PowersOfFive.shared
    /// The entry for a value that is not a member.
    let wholeValue: EntryRef
    private let memory: PlanMemory

    init(root: NodeRef, memory: PlanMemory, rules: [Rule], outlines: [[Int32]], context: ContextPaths) {
        self.root = root
        self.memory = memory
        wholeValue = memory.keep(Entry(operation: .value))
        self.rules = rules
        self.outlines = outlines
        keepsContext = context.isNeeded
        readsRoot = context.readsRoot
        contextKeys = context.keys
        contextPathCount = context.count
    }

    var nodes: [NodeRef] { memory.nodes }
}

/// The nodes and entries of one plan, in few blocks of memory, and the objects that they point to.
final class PlanMemory {
    private(set) var nodes: [NodeRef] = []
    private var objects: [AnyObject] = []
    private var blocks: [Memory] = []
    private var next: Memory
    private var end: Memory
    private static var smallBlock: Int { 1008 }

    init() {
        next = .allocate(byteCount: PlanMemory.smallBlock, alignment: 16)
        end = next + PlanMemory.smallBlock
        blocks.reserveCapacity(4)
        blocks.append(next)
        objects.reserveCapacity(16)
        nodes.reserveCapacity(4)
    }

    deinit { for block in blocks { block.deallocate() } }

    /// Keeps an object alive as long as the plan.
    func keep(_ object: AnyObject) { if objects.last !== object { objects.append(object) } }

    func keep(_ entry: Entry) -> EntryRef {
        let pointer = allocate(1, of: Entry.self)
        pointer.initialize(to: entry)
        return pointer
    }

    /// A node without rules, to be pointed at before it is filled.
    func newNode() -> NodeRef {
        let node = allocate(1, of: Node.self)
        node.initialize(
            to: Node(
                entries: allocate(0, of: Entry.self), keys: keyTable(allocate(0, of: KeyText.self), 0),
                id: nodes.count, required: 0, isWide: false))
        nodes.append(node)
        return node
    }

    /// Takes over the entries of the keys.
    func fill(_ node: NodeRef, _ count: Int, _ member: (Int) -> (key: String, entry: Entry)) {
        guard count > 0 else { return }
        let entries = allocate(count, of: Entry.self)
        let keys = allocate(count, of: KeyText.self)
        var required: UInt64 = 0
        for index in 0..<count {
            let member = member(index)
            (keys + index).initialize(to: text(member.key))
            (entries + index).initialize(to: member.entry)
            if member.entry.isRequired || member.entry.isClearedWhenAbsent, index < 64 {
                required |= 1 << UInt64(index)
            }
        }
        node.pointee.entries = entries
        node.pointee.keys = keyTable(keys, count)
        node.pointee.required |= required
        node.pointee.isWide = count > 64
    }

    private func keyTable(_ keys: Ref<KeyText>, _ count: Int) -> KeyTable {
        KeyTable(keys, count, slots: allocate(KeyTable.slotCount(for: count), of: UInt16.self))
    }

    private func text(_ key: String) -> KeyText { key.withView { KeyText(padded($0), $0.count) } }

    /// A copy with the padding that reading it by words takes.
    func padded(_ text: ByteView) -> Bytes {
        let bytes = allocate(text.count + 16, of: UInt8.self)
        if let first = Bytes(text) { bytes.initialize(from: first, count: text.count) }
        (bytes + text.count).initialize(repeating: 0, count: 16)
        return Bytes(bytes)
    }

    /// Memory for values that have nothing to release.
    func allocate<Value>(_ count: Int, of _: Value.Type) -> Ref<Value> {
        let size = (count * MemoryLayout<Value>.stride + 15) & ~15
        if end - next < size { addBlock(size) }
        let start = next
        next += size
        return start.ref(to: Value.self)
    }

    private func addBlock(_ size: Int) {
        // Small blocks are the cheapest ones, unless there are many.
        let blockSize = max(blocks.count < 8 ? PlanMemory.smallBlock : 1 << 16, size)
        next = .allocate(byteCount: blockSize, alignment: 16)
        end = next + blockSize
        blocks.append(next)
    }
}

/// Compiles mappings to a plan: what plans for reading and for writing have in common.
class PlanCompiler {
    /// Mistakes in the mapping, found while it is compiled.
    final var issues: [MappingIssue] = []
    final var rules: [Plan.Rule] = []
    final let memory = PlanMemory()
    /// Mappings whose identity is known: a freed one would leave its address to the next.
    private var mappings: [AnyObject] = []
    /// How many mappings lead to the one that is being compiled.
    private var nesting = 0
    private static var deepestNesting: Int { 200 }
    /// Whether mappings lead to ever further ones.
    final private(set) var isEndless = false

    /// Does what may lead to further mappings; nothing once that has gone too deep ever to end.
    final func nested(_ body: () -> Void) {
        isEndless = isEndless || nesting == PlanCompiler.deepestNesting
        if isEndless { return }
        nesting += 1
        body()
        nesting -= 1
    }

    /// Keeps a mapping alive until the plan is made.
    final func hold(_ mapping: AnyObject) { mappings.append(mapping) }

    /// Keeps an object alive as long as the plan.
    final func keep<Object: AnyObject>(_ object: Object) -> Borrowed<Object> {
        memory.keep(object)
        return Borrowed(object)
    }

    final func noteEndlessMappings() {
        guard isEndless else { return }
        issues.append(
            .mapping(
                "mappings that come to an end", "one that is made of itself, or anew at each use; keep it in a constant"
            ))
    }
}

extension Node {
    /// Notes what an object needs beside the reading of its keys, once all of that is known.
    mutating func setFlags(keepsContext: Bool) {
        self.keepsContext = keepsContext
        opens = isWide || keepsContext
        finishes = opens || whole != nil || completion != nil
    }
}
