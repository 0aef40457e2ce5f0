import Synchronization

/// A mapping compiled to plain data: nodes of entries that decodes run over.
final class Plan: @unchecked Sendable {  // immutable once `PlanBuilder` has created it
    /// A rule, for messages.
    enum Rule: CustomStringConvertible {
        case rule(RuleStorage)
        /// A rule whose source is the name of its property.
        indirect case named(RuleStorage, MappingSource)
        /// Another source with the name of its destination.
        indirect case other(MappingSource, @Sendable () -> String)

        init(_ rule: RuleStorage, _ source: MappingSource) {
            self = if case .propertyName = rule.source.kind { .named(rule, source) } else { .rule(rule) }
        }

        var storage: RuleStorage? {
            switch self {
            case .rule(let rule), .named(let rule, _): rule
            case .other: nil
            }
        }

        var source: MappingSource {
            switch self {
            case .rule(let rule): rule.source
            case .named(_, let source), .other(let source, _): source
            }
        }

        var destination: String { if case .other(_, let name) = self { name() } else { storage?.destination ?? "" } }

        var description: String {
            let source = source.description
            return "\(source.isEmpty ? "the value" : source) -> \(destination)"
        }
    }

    let root: NodeRef
    let rules: [Rule]
    /// The rules of each node's mapping by number, in the order written; empty for a step of key paths.
    let outlines: [[Int32]]
    /// Whether rules use values around an object.
    let keepsContext: Bool
    /// Whether some of them use the whole payload.
    let readsRoot: Bool
    /// The first keys of the paths in those rules' sources, by number, and the number of such paths.
    let contextKeys: NodeRef?
    let contextPathCount: Int
    /// For readers, which avoid the initialization check of a global constant.
    let powers = PowersOfFive.shared
    /// The entry for a value that is not a member.
    let wholeValue: EntryRef
    /// The orders of keys that a finished decode has learned, for the next one; `nil` while a decode uses them.
    let keyOrders = Mutex<KeyOrders?>(nil)
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

/// The nodes and entries of one plan, in a few blocks of memory, and the objects that they refer to.
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

    /// Retains an object as long as the plan.
    func keep(_ object: AnyObject) { if objects.last !== object { objects.append(object) } }

    func keep(_ entry: Entry) -> EntryRef {
        let pointer = allocate(1, of: Entry.self)
        pointer.initialize(to: entry)
        return pointer
    }

    /// Returns an empty node, to which others can refer before it is filled.
    func newNode() -> NodeRef {
        let node = allocate(1, of: Node.self)
        node.initialize(
            to: Node(
                entries: allocate(0, of: Entry.self), keys: keyTable(allocate(0, of: KeyText.self), 0),
                id: nodes.count, required: 0, isWide: false))
        nodes.append(node)
        return node
    }

    /// Adds the entries of the keys.
    func fill(_ node: NodeRef, _ count: Int, _ member: (Int) -> (key: String, entry: Entry)) {
        guard count > 0 else { return }
        let entries = allocate(count, of: Entry.self)
        let keys = allocate(count, of: KeyText.self)
        var (required, mapped): (UInt64, UInt64) = (0, 0)
        for index in 0..<count {
            let member = member(index)
            (keys + index).initialize(to: text(member.key))
            (entries + index).initialize(to: member.entry)
            if member.entry.isRequired || member.entry.isClearedWhenAbsent, index < 64 {
                required |= 1 << UInt64(index)
            }
            if member.entry.operation != .watched, index < 64 { mapped |= 1 << UInt64(index) }
        }
        node.pointee.entries = entries
        node.pointee.keys = keyTable(keys, count)
        node.pointee.required |= required
        node.pointee.mapped = mapped
        node.pointee.isWide = count > 64
    }

    private func keyTable(_ keys: Ref<KeyText>, _ count: Int) -> KeyTable {
        KeyTable(keys, count, slots: allocate(KeyTable.slotCount(for: count), of: UInt16.self))
    }

    private func text(_ key: String) -> KeyText { key.withView { KeyText(padded($0), $0.count) } }

    /// Returns a copy with the padding required by word-wise reads.
    func padded(_ text: ByteView) -> Bytes {
        let bytes = allocate(text.count + 16, of: UInt8.self)
        if let first = Bytes(text) { bytes.initialize(from: first, count: text.count) }
        (bytes + text.count).initialize(repeating: 0, count: 16)
        return Bytes(bytes)
    }

    /// Allocates memory for trivial values.
    func allocate<Value>(_ count: Int, of _: Value.Type) -> Ref<Value> {
        let size = (count * MemoryLayout<Value>.stride + 15) & ~15
        if end - next < size { addBlock(size) }
        let start = next
        next += size
        return start.ref(to: Value.self)
    }

    private func addBlock(_ size: Int) {
        // Small blocks are the cheapest, unless there are many.
        let blockSize = max(blocks.count < 8 ? PlanMemory.smallBlock : 1 << 16, size)
        next = .allocate(byteCount: blockSize, alignment: 16)
        end = next + blockSize
        blocks.append(next)
    }
}

/// The common part of compiling plans for reading and for writing.
class PlanCompiler {
    /// The errors found in the mapping.
    final var issues: [MappingIssue] = []
    final var rules: [Plan.Rule] = []
    final let memory = PlanMemory()
    /// Mappings whose identity is known, retained so that their addresses are not reused.
    private var mappings: [AnyObject] = []
    /// The number of mappings around the current one.
    private var nesting = 0
    private static var deepestNesting: Int { 200 }
    /// Whether mappings are infinitely recursive.
    final private(set) var isInfinitelyRecursive = false

    /// Runs a closure that can compile further mappings; does nothing after infinite recursion was detected.
    final func nested(_ body: () -> Void) {
        isInfinitelyRecursive = isInfinitelyRecursive || nesting == PlanCompiler.deepestNesting
        if isInfinitelyRecursive { return }
        nesting += 1
        body()
        nesting -= 1
    }

    /// Retains a mapping until the plan is compiled.
    final func hold(_ mapping: AnyObject) { mappings.append(mapping) }

    /// Retains an object as long as the plan.
    final func keep<Object: AnyObject>(_ object: Object) -> Borrowed<Object> {
        memory.keep(object)
        return Borrowed(object)
    }

    final func noteInfiniteMappings() {
        guard isInfinitelyRecursive else { return }
        issues.append(
            .mapping(
                "mappings without infinite recursion",
                "a mapping that contains itself; store mappings in a `static let`"
            ))
    }
}

extension Node {
    /// Sets the flags of an object that requires other work than reading keys, after all rules are known.
    mutating func setFlags(keepsContext: Bool) {
        self.keepsContext = keepsContext
        needsSetup = isWide || keepsContext
        needsCompletion = needsSetup || valueEntry != nil || completion != nil
    }
}
