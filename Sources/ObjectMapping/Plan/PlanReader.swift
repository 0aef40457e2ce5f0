/// One decode in progress: runs a plan over bytes, in one pass and without a tree.
///
/// Functions take the place of a value and answer the place behind it, nil for broken JSON: what exactly is broken is
/// worked out afterwards by `DocumentWalker`. A value that is sound but cannot be converted is noted in `findings` and
/// passed over, so that one run finds every issue.
struct PlanReader {
    let plan: Plan
    let window: Window
    let powers = PowersOfFive.shared
    private(set) var fence: Bytes
    var depth = 0
    let maximumDepth: Int
    /// What the last call of a box's `make` has to say.
    var isMade = false
    var findings: FindingList
    /// Where models are registered, if the plan does that.
    var session: SessionDecode?
    /// What is told of the decode to one who asks for an explanation; nil in every other decode.
    var trace: Trace?
    /// The text of the last string that had escapes.
    var text = ByteBuffer()
    /// The list of a column that is being read, as it is stored.
    var listText = ByteBuffer()
    /// Texts that may come again; only where the bytes stay where they are.
    var texts: TextCache
    /// Where lists grow.
    var lists = ListSpace()
    /// The rows of the element, if the plan makes rows.
    var rows: RowBuffer
    /// While bytes are read that do not stand in the text: the offset of the value they were made from.
    var borrowedOffset: Int?
    /// Where those bytes stand as long as they are read.
    private(set) var copied: (copy: Bytes, original: TextPlace)?
    /// What stands around the objects, if the plan has rules for it.
    let context: DecodeContext?
    /// Where those bytes begin, if they are a copy of the text from there on: then each has its place all the same.
    private var copyStart: Bytes?
    /// How many such reads are under way: a relationship with itself over the same value would never end.
    private var borrowings = 0
    private static var mostBorrowings: Int { 32 }
    /// Memory for such bytes, to be used again.
    private var spareText: ByteBuffer?
    private static var largestSpareText: Int { 1 << 12 }
    /// Whether that was noted of the element.
    private var isEndless = false
    /// How many mappings that closures gave are under way, one within the other: each needs several times the stack of
    /// an object, and one that gives itself would never end.
    var choices = 0
    static var mostChoices: Int { 64 }
    /// Whether the first value of a watched key may be taken for its only one, before the object is read to its end.
    var takesValuesEarly = false
    /// Whether a watched key came twice in an object, so that what was taken early may have been wrong.
    var sawWatchedKeyAgain = false
    /// The memory of a model that was there before the decode: of what it holds already nothing is written.
    var updated: Memory?
    /// Regular expressions of the plan, by their text.
    var patterns: [String: Regex<AnyRegexOutput>] = [:]
    private var memories: UnsafeMutablePointer<KeyMemory>
    /// Models as they are made, to take values from.
    var freshModels: [ObjectIdentifier: Memory] = [:]
    /// Which entries beyond the 64th were seen, for the objects that are open.
    private var wideSeen: [Bool] = []

    init(
        plan: Plan, window: Window, limits: MappingLimits = MappingLimits(), metadata: @autoclosure () -> JSON = [:]
    ) {
        self.plan = plan
        self.window = window
        maximumDepth = limits.depth
        findings = FindingList(limit: limits.issueCount)
        fence = window.fence
        context =
            plan.keepsContext
            ? DecodeContext(metadata: metadata(), window: window, plan: plan, maximumDepth: maximumDepth) : nil
        memories = .allocate(capacity: plan.nodes.count)
        memories.initialize(repeating: KeyMemory(), count: plan.nodes.count)
        rows = RowBuffer()
        texts = TextCache(ruleCount: plan.rules.count, size: window.isComplete ? window.bytes.count : 0)
    }

    /// Ends the decode; nothing may be read afterwards.
    mutating func free() {
        for index in plan.nodes.indices { memories[index].free() }
        memories.deallocate()
        text.free()
        listText.free()
        spareText?.free()
        lists.free()
        texts.free()
        rows.free()
        for (id, memory) in freshModels {
            plan.models[id]?.destroy(memory)
            memory.deallocate()
        }
        freshModels = [:]
    }

    /// Forgets what an element left behind, to read it again or to read the next one.
    ///
    /// - Parameter depth: How many containers are open around it.
    mutating func reset(depth: Int) {
        self.depth = depth
        isEndless = false
        if !wideSeen.isEmpty { wideSeen.removeAll(keepingCapacity: true) }
        if !findings.isEmpty { findings.removeAll() }
        context?.close(to: 0)
        rows.reset()
    }

    /// The next token.
    @inline(__always) mutating func token(_ place: Bytes) -> Bytes {
        if place >= fence { return relocatedToken(place) }
        return place.pointee > 0x20 ? place : spacedToken(place)
    }

    @inline(never) private mutating func spacedToken(_ place: Bytes) -> Bytes {
        let next = skipWhitespaceRun(place)
        return next >= fence ? relocatedToken(next) : next
    }

    @inline(never) private mutating func relocatedToken(_ place: Bytes) -> Bytes {
        // Behind the fence everything stands in the tail, whose addresses mean nothing to the fence.
        fence = Window.noFence
        return skipWhitespace(window.relocated(place))
    }

    /// Goes back to a place before which the fence was this one, to read from there once more.
    mutating func rewind(to fence: Bytes) { self.fence = fence }

    /// The bytes between two places, in one piece.
    func stretch(_ start: Bytes, _ end: Bytes) -> UnsafeRawBufferPointer {
        borrowedOffset == nil
            ? window.bytes(from: start, to: end) : UnsafeRawBufferPointer(start: start, count: end - start)
    }

    /// Where the value at a place begins in the text.
    func offset(_ place: Bytes) -> Int {
        guard let borrowedOffset else { return window.offset(place) }
        return borrowedOffset + (copyStart.map { place - $0 } ?? 0)
    }

    /// Whether the bytes being read have places in the text.
    var hasPlaces: Bool { borrowedOffset == nil || copyStart != nil }

    // MARK: Objects

    /// Reads an object by the rules of a node.
    mutating func object(_ start: Bytes, _ node: UnsafeMutablePointer<Node>, _ base: Memory) -> Bytes? {
        guard start.pointee == .openBrace else { return whole(start, node, base) }
        depth &+= 1
        if depth > maximumDepth { return nil }
        var place = token(start + 1)
        var seen: UInt64 = 0
        let wide = node.pointee.opens ? open(start, node) : 0
        if place.pointee == .closeBrace {
            place += 1
        } else {
            let memory = memories + node.pointee.id
            memory.pointee.visits &+= 1
            var guess = memory.pointee.first
            // The key before: -1 at the start, -2 for one that was not learned.
            var previous = -1
            while true {
                guard place.pointee == .quote else { return nil }
                place += 1
                let keyStart = place
                var index = -1
                if guess >= 0, let learned = memory.pointee.learned, learned[guess].key.matches(place) {
                    index = learned[guess].entry
                    place += learned[guess].key.count &+ 1
                    previous = guess
                    guess = learned[guess].next
                } else {
                    guard let end = key(place, node, memory, &index, &previous, &guess) else { return nil }
                    place = end
                }
                place = token(place)
                guard place.pointee == .colon else { return nil }
                place = token(place + 1)
                if index >= 0 {
                    let entry = node.pointee.entries + index
                    if index < 64 {
                        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: index)
                        if seen & bit != 0 { repeated(entry, keyStart, node, base) }
                        seen |= bit
                    } else if markWide(wide + index) {
                        repeated(entry, keyStart, node, base)
                    }
                    guard let end = field(place, entry, node, base) else { return nil }
                    place = token(end)
                } else {
                    guard let end = skip(place) else { return nil }
                    place = token(end)
                }
                if place.pointee == .comma {
                    place = token(place + 1)
                    continue
                }
                guard place.pointee == .closeBrace else { return nil }
                place += 1
                break
            }
        }
        depth &-= 1
        let missing = node.pointee.required & ~seen
        if missing != 0 { answerMissing(missing, node, start, place, base) }
        if node.pointee.finishes {
            guard finish(start, place, node, base, wide) else { return nil }
        }
        return place
    }

    /// Reads a value that is no object by the rule for the value as a whole; no key is there.
    @inline(never) private mutating func whole(
        _ start: Bytes, _ node: UnsafeMutablePointer<Node>, _ base: Memory
    ) -> Bytes? {
        let wide = node.pointee.opens ? open(start, node) : 0
        guard let whole = node.pointee.whole, let end = field(start, whole, node, base) else { return nil }
        answerMissing(node.pointee.required, node, start, end, base)
        return finishRest(start, end, node, base, wide) ? end : nil
    }

    /// A key that was not the one expected.
    @inline(never) private mutating func key(
        _ start: Bytes, _ node: UnsafeMutablePointer<Node>, _ memory: UnsafeMutablePointer<KeyMemory>,
        _ index: inout Int, _ previous: inout Int, _ guess: inout Int
    ) -> Bytes? {
        var seen: UInt64 = 0
        let stop = scanString(start, &seen)
        guard stop.pointee == .quote else {
            text.removeAll()
            guard let end = unescape(start, into: &text) else { return nil }
            index = node.pointee.find(text.text, text.count)
            guess = -1
            previous = -2
            return end
        }
        let count = stop - start
        index = node.pointee.find(start, count)
        if index < 0, hasTopBits(seen), !isUTF8(start, count) { return nil }
        // Learning pays from the second object on.
        guard memory.pointee.visits > 1 else { return stop + 1 }
        let known = memory.pointee.index(of: start, count, entry: index)
        if previous >= 0 {
            memory.pointee.learned?[previous].next = known
        } else if previous == -1 {
            memory.pointee.first = known
        }
        previous = known >= 0 ? known : -2
        guess = known >= 0 ? memory.pointee.learned?[known].next ?? -1 : -1
        return stop + 1
    }

    /// Begins an object with more than the reading of its keys to do; the first place of its entries in `wideSeen`.
    @inline(never) private mutating func open(_ start: Bytes, _ node: UnsafeMutablePointer<Node>) -> Int {
        if node.pointee.keepsContext { openContext(start, isWatched: node.pointee.watchesContextKeys) }
        if node.pointee.isWide { wideSeen += repeatElement(false, count: node.pointee.count) }
        return wideSeen.count - (node.pointee.isWide ? node.pointee.count : 0)
    }

    @inline(never) private mutating func markWide(_ index: Int) -> Bool {
        defer { wideSeen[index] = true }
        return wideSeen[index]
    }

    @inline(never) private mutating func closeWide(
        _ first: Int, _ node: UnsafeMutablePointer<Node>, _ start: Bytes, _ end: Bytes, _ base: Memory
    ) {
        var keys: ObjectKeys?
        for index in 64..<node.pointee.count where !wideSeen[first + index] {
            answerMissing(index, node, start, end, base, &keys)
        }
        wideSeen.removeLast(wideSeen.count - first)
    }

    @inline(never) private mutating func answerMissing(
        _ missing: UInt64, _ node: UnsafeMutablePointer<Node>, _ start: Bytes, _ end: Bytes, _ base: Memory
    ) {
        var keys: ObjectKeys?
        for index in 0..<min(64, node.pointee.count) where missing & (1 << UInt64(index)) != 0 {
            answerMissing(index, node, start, end, base, &keys)
        }
    }

    private mutating func answerMissing(
        _ index: Int, _ node: UnsafeMutablePointer<Node>, _ start: Bytes, _ end: Bytes, _ base: Memory,
        _ keys: inout ObjectKeys?
    ) {
        let entry = node.pointee.entries + index
        if entry.pointee.isRequired { noteMissing(entry, index, node, start, end, &keys) }
        if entry.pointee.isClearedWhenAbsent { clear(entry, node, base, for: .absence) }
    }

    /// What is to be done once the keys of an object are read.
    ///
    /// - Parameter wide: What `open` said.
    @inline(never) private mutating func finish(
        _ start: Bytes, _ end: Bytes, _ node: UnsafeMutablePointer<Node>, _ base: Memory, _ wide: Int
    ) -> Bool {
        if let whole = node.pointee.whole {
            // The object was read just now, so reading it again cannot fail, nor leave the text in memory.
            let isRead = borrowing(
                stretch(start, end), offset(start), isCopy: hasPlaces, of: context == nil ? nil : textPlace(start)
            ) { reader, place in
                reader.field(place, whole, node, base)
            }
            guard isRead else { return false }
        }
        return finishRest(start, end, node, base, wide)
    }

    /// Keys not seen among many, columns put together from several members, and rules for what stands around the value.
    private mutating func finishRest(
        _ start: Bytes, _ end: Bytes, _ node: UnsafeMutablePointer<Node>, _ base: Memory, _ wide: Int
    ) -> Bool {
        if node.pointee.isWide { closeWide(wide, node, start, end, base) }
        if let rest = node.pointee.completion { rest._withUnsafeGuaranteedRef { $0.join(&self, base, at: start) } }
        if let rules = node.pointee.context {
            if borrowedOffset == nil, fence == window.fence { context?.finished = (start, end) }
            let isRead = rules._withUnsafeGuaranteedRef { $0.read(&self, start, node, base) }
            context?.finished = nil
            guard isRead else { return false }
        }
        if node.pointee.keepsContext { context?.close() }
        return true
    }

    /// Reads bytes that stand elsewhere, as if they stood at an offset of the text.
    ///
    /// - Parameters:
    ///   - isCopy: Whether they are those that stand at that offset.
    ///   - original: The value that they are a copy of; nil if they were made.
    mutating func borrowing(
        _ bytes: UnsafeRawBufferPointer, _ offset: Int, isCopy: Bool = false, of original: TextPlace? = nil,
        _ read: (inout PlanReader, Bytes) -> Bytes?
    ) -> Bool {
        guard mayBorrow(offset) else { return true }
        var copy = spareText ?? ByteBuffer()
        spareText = nil
        copy.removeAll()
        copy.append(bytes)
        let text = copy.text
        let isRead = borrowing(
            text, offset, copyStart: isCopy ? text : nil,
            original ?? TextPlace(head: text, start: text, end: text + bytes.count), read)
        if spareText == nil, bytes.count < PlanReader.largestSpareText { spareText = copy } else { copy.free() }
        return isRead
    }

    /// Reads a value that stands around the object as if it stood at an offset of the text.
    mutating func borrowing(
        _ value: ContextValue, _ offset: Int, _ read: (inout PlanReader, Bytes) -> Bytes?
    ) -> Bool {
        guard case .made(let value) = value, !value.isBeingRead else { return borrowing(value.bytes, offset, read) }
        guard mayBorrow(offset) else { return true }
        value.isBeingRead = true
        defer { value.isBeingRead = false }
        let place = TextPlace(head: value.text, start: value.text, end: value.text + value.bytes.count)
        return borrowing(value.text, offset, copyStart: nil, place, read)
    }

    /// - Parameter text: Bytes followed by what ends them, or by padding.
    mutating func borrowing(
        _ text: Bytes, _ offset: Int, copyStart: Bytes?, _ original: TextPlace,
        _ read: (inout PlanReader, Bytes) -> Bytes?
    ) -> Bool {
        borrowings += 1
        let outer = (fence, borrowedOffset, self.copyStart, copied, depth)
        (fence, borrowedOffset, self.copyStart) = (Window.noFence, offset, copyStart)
        copied = (text, original)
        defer {
            (fence, borrowedOffset, self.copyStart, copied, depth) = outer
            borrowings -= 1
        }
        return read(&self, text) != nil
    }

    /// Whether bytes that stand elsewhere may be read; once in an element it is noted that they may not.
    private mutating func mayBorrow(_ offset: Int) -> Bool {
        // Once is enough: each of several such relationships would go as deep again.
        if isEndless { return false }
        guard borrowings == PlanReader.mostBorrowings else { return true }
        noteEndless(offset)
        return false
    }

    private mutating func noteEndless(_ offset: Int) {
        isEndless = true
        note(.mapping, offset, "a mapping that comes to an end", "one that reads a value by itself again and again")
    }
}
