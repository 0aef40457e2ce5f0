/// One serialization in progress: runs a plan over models in memory and writes into one buffer.
///
/// Values that cannot be written are recorded by their offset in the text, at which null is written; their paths are
/// calculated later from the text.
struct PlanWriter: ~Copyable {
    let plan: OutputPlan
    private let writesNulls: Bool
    var out: JSONWriter
    /// The offsets refer to the text, from which paths are calculated later.
    var findings: [Finding] = []
    /// The index of the finding of an object that contains itself, and the offset of the enclosing same object.
    var cycle: (finding: Int, container: Int)?
    /// Whether an issue of nesting was added.
    var hasNotedDepth = false
    private var stack = StackRoom()
    /// Whether a value exceeded the stack.
    private(set) var isStackFull = false
    /// Set while a value is written to test whether a mapping would select it.
    var trial: Trial?
    /// The objects of classes that are being written.
    var objects = WrittenObjects()
    /// The rule whose value is being written.
    private(set) var rule: Int32 = -1

    init(_ plan: OutputPlan, _ options: WritingOptions) {
        self.plan = plan
        writesNulls = options.whenNil == .null
        out = JSONWriter(maximumDepth: options.limits.depth)
    }

    /// Returns to the rule of a value after its parts were written.
    mutating func `continue`(_ rule: Int32) { self.rule = rule }

    /// A value that is written as a test.
    struct Trial {
        /// Whether the text does not depend on the test: no nested mapping selects by content.
        var isFinal = true
    }

    // MARK: Objects

    /// Opens an array or object; returns false if it is nested too deeply.
    @inline(__always) mutating func open() -> Bool {
        (out.depth < StackRoom.uncheckedLevels || hasStack()) && out.open()
    }

    @inline(never) private mutating func hasStack() -> Bool {
        if isStackFull || stack.hasRoom() { return !isStackFull }
        isStackFull = true
        out.stop()
        return false
    }

    /// Writes an object by the rules of a node.
    mutating func object(_ node: Ref<OutputNode>, _ base: Memory) -> OutputBox.Outcome {
        guard open() else { return tooDeep() }
        if node.pointee.isValue {
            out.leave()
            return value(node.pointee.entries, base)
        }
        let start = out.count
        writeMembers(node, base)
        out.closeObject(from: start)
        return .written
    }

    /// Writes the members of an object into the open one.
    mutating func members(_ node: Ref<OutputNode>, _ base: Memory) {
        guard open() else {
            _ = tooDeep()
            return
        }
        writeMembers(node, base)
        out.leave()
    }

    private mutating func writeMembers(_ node: Ref<OutputNode>, _ base: Memory) {
        let outer = rule
        if node.pointee.isMerged {
            mergedMembers(node, base)
        } else {
            var entry = node.pointee.entries
            for _ in 0..<node.pointee.count {
                member(entry, base)
                entry += 1
            }
        }
        rule = outer
    }

    mutating func member(_ entry: Ref<OutputEntry>, _ base: Memory) {
        switch entry.pointee.operation {
        case .level, .keyed: level(entry, base)
        case .inlined:
            rule = entry.pointee.rule
            entry.pointee.box?.object.writeMembers(base + entry.pointee.offset, &self)
        default:
            let mark = out.count
            key(entry)
            let outcome = value(entry, base)
            if case .written = outcome { return }
            out.truncate(to: mark)
            if case .null = outcome { null(entry) }
        }
    }

    @inline(__always) private mutating func key(_ entry: Ref<OutputEntry>) {
        out.key(entry.pointee.key, entry.pointee.keySize)
    }

    /// Handles `nil` by the rule, or by the options.
    private mutating func null(_ entry: Ref<OutputEntry>) {
        switch entry.pointee.whenNil {
        case .omit: return
        case nil where !writesNulls: return
        case .null, nil:
            key(entry)
            out.null()
        }
    }

    @inline(__always) private mutating func value(_ entry: Ref<OutputEntry>, _ base: Memory) -> OutputBox.Outcome {
        rule = entry.pointee.rule
        return value(entry.pointee.operation, entry.pointee.box, base + entry.pointee.offset)
    }

    /// Writes a value in memory with a plain operation or a box.
    @inline(__always) mutating func value(
        _ operation: Operation, _ box: Borrowed<OutputBox>?, _ memory: Memory
    ) -> OutputBox.Outcome {
        switch operation {
        case .int: out.integer(memory[as: Int.self])
        case .optionalInt:
            guard let value = memory[as: Int?.self] else { return .null }
            out.integer(value)
        case .double: double(memory[as: Double.self])
        case .optionalDouble:
            guard let value = memory[as: Double?.self] else { return .null }
            double(value)
        case .bool: out.bool(memory[as: Bool.self])
        case .optionalBool:
            guard let value = memory[as: Bool?.self] else { return .null }
            out.bool(value)
        case .string: out.string(memory[as: String.self])
        case .optionalString:
            guard let value = memory[as: String?.self] else { return .null }
            out.string(value)
        case .date: date(memory[as: Date.self])
        case .optionalDate:
            guard let value = memory[as: Date?.self] else { return .null }
            date(value)
        default:
            guard let box = box?.object else { return .absent }
            return box.write(memory, &self)
        }
        return .written
    }

    /// Writes an object in key paths; one with a fixed key is omitted if it has no members.
    private mutating func level(_ entry: Ref<OutputEntry>, _ base: Memory) {
        guard let child = entry.pointee.child else { return }
        let mark = out.count
        if entry.pointee.operation == .keyed {
            out.comma()
            memberKey(entry, base)
        } else {
            key(entry)
        }
        if child.pointee.isValue {
            if case .written = value(child.pointee.entries, base) { return }
            return out.null()
        }
        let start = out.count
        members(child, base)
        if out.count == start, entry.pointee.operation == .level { return out.truncate(to: mark) }
        out.encloseObject(from: start)
    }

    /// Writes a value of the model as a key: a string, a number or a Boolean.
    mutating func memberKey(_ entry: Ref<OutputEntry>, _ base: Memory) {
        let mark = out.count
        let outcome = value(entry, base)
        switch (outcome, out.count > mark ? out.buffer.start[mark] : 0) {
        case (.written, .quote): break
        case (.written, let first) where first != .openBrace && first != .openBracket:
            let text = out.text(from: mark)
            out.truncate(to: mark)
            out.string(text)
        default:
            out.truncate(to: mark)
            out.string("?")
            remember(.invalidValue, "a text or a number as the key of an object", "another value", at: mark)
        }
        out.buffer.append(.colon)
    }

    // MARK: Lists

    /// Writes an array, or an object of members, with a closure that writes the elements.
    mutating func list(
        _ element: OutputBox, each shape: ElementShape, _ body: (inout PlanWriter) -> Void
    ) -> OutputBox.Outcome {
        guard open() else { return tooDeep() }
        let start = out.count
        let before = findings.count
        let outer = rule
        body(&self)
        rule = outer
        if shape == .member { out.closeObject(from: start) } else { out.closeArray(from: start) }
        guard findings.count == before else { return .written }
        if shape == .member {
            checkKeys(from: start)
        } else if let node = element.node, node.pointee.keyCount > 0 {
            mergeKeyed(from: start, levels: node.pointee.keyCount)
        }
        return .written
    }

    /// Writes contiguous elements in memory.
    mutating func elements(_ box: OutputBox, at first: Memory, _ count: Int, stride: Int, each shape: ElementShape) {
        let operation = box.operation
        var place = first
        for _ in 0..<count {
            element(box, operation, place, each: shape)
            place += stride
        }
    }

    /// Writes one element of an array, or one member with its key.
    mutating func element(_ box: OutputBox, _ operation: Operation, _ memory: Memory, each shape: ElementShape) {
        out.comma()
        if shape == .member { box.writeMemberKey(memory, &self) }
        switch value(operation, Borrowed(box), memory) {
        case .written: return
        case .null, .absent: out.null()
        }
    }

    // MARK: Values

    @inline(__always) mutating func double(_ value: Double) {
        if value.isFinite { out.double(value) } else { noteNotFinite(value) }
    }

    @inline(__always) mutating func date(_ value: Date) {
        if value.timeIntervalSince1970.isFinite { out.date(value) } else { noteNotFinite(value.timeIntervalSince1970) }
    }

    /// Writes a tree; returns false if it is absent.
    mutating func write(_ json: JSON) -> Bool {
        guard json.exists else { return false }
        let start = out.count
        out.tree(json)
        if out.isTooDeep { noteTooDeep(at: start) }
        return true
    }

    /// Writes the members of a tree into the open object.
    mutating func writeMembers(of json: JSON) {
        guard json.isPresent else { return }
        guard let object = json.object else { return noteNoMembers() }
        let start = out.count
        out.members(object)
        if out.isTooDeep { noteTooDeep(at: start) }
    }
}
