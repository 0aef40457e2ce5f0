/// One decode in progress: runs a plan over bytes, in one pass and without a tree.
///
/// Functions receive the start of a value and return its end, or `nil` for invalid JSON; `JSONTokenizer` determines the
/// exact error afterwards. A valid value that cannot be converted is added to `findings` and skipped, so that one run
/// finds all issues.
struct PlanReader: ~Copyable {
    let plan: Plan
    let window: Window
    private(set) var fence: Bytes
    var nesting: Nesting
    var findings: FindingList
    /// The text of the last string that had escapes.
    var text = ByteBuffer()
    /// Texts that can repeat; only while the bytes do not move.
    var texts: TextCache
    /// The memory of growing lists.
    var lists = ListSpace()
    /// The keys that were read so far.
    var keys: SeenKeys
    /// Whether an object in the current element has none of the keys of its node, or is not an object.
    var foundNoKeys = false
    /// The rows of the element, if the plan creates rows.
    var rows = RowBuffer()
    /// Bytes that are read instead of a part of the text.
    var borrowed = BorrowedText()
    /// Models with the initial values of cleared properties.
    var freshModels = FreshModels()
    /// The state of mappings that select by content.
    var matching = MatchingProgress()
    /// The values around the objects, if the plan has rules for them.
    let context: DecodeContext?
    /// Optional parts of the decode; `nil` in most decodes.
    var companions: DecodeCompanions?

    init(plan: Plan, window: Window, limits: MappingLimits = MappingLimits(), metadata: @autoclosure () -> JSON = [:]) {
        self.plan = plan
        self.window = window
        nesting = Nesting(limit: limits.depth)
        findings = FindingList(limit: limits.issueCount)
        fence = window.fence
        keys = SeenKeys(plan)
        texts = TextCache(ruleCount: plan.rules.count, size: window.isComplete ? window.bytes.count : 0)
        context =
            plan.keepsContext
            ? DecodeContext(metadata: metadata(), window: window, plan: plan, maximumDepth: limits.depth) : nil
    }

    /// Resets the state of an element, to read it again or to read the next one.
    ///
    /// - Parameter depth: The number of open containers around it.
    @inline(__always) mutating func reset(depth: Int) {
        nesting.depth = depth
        borrowed.reset()
        keys.reset()
        if !findings.isEmpty { findings.removeAll() }
        context?.close(to: 0)
        rows.reset()
    }

    /// Returns the next token.
    @inline(__always) mutating func token(_ place: Bytes) -> Bytes {
        if place >= fence { return relocatedToken(place) }
        return place.pointee > 0x20 ? place : spacedToken(place)
    }

    @inline(never) private mutating func spacedToken(_ place: Bytes) -> Bytes {
        let next = skipWhitespaceRun(place)
        return next >= fence ? relocatedToken(next) : next
    }

    @inline(never) private mutating func relocatedToken(_ place: Bytes) -> Bytes {
        // After the fence, the text continues in the tail, whose addresses cannot be compared with the fence.
        fence = Window.noFence
        return skipWhitespace(window.relocated(place))
    }

    /// Moves back to a place with another fence, to read it again.
    mutating func rewind(to fence: Bytes) { self.fence = fence }

    /// Returns the contiguous bytes between two places.
    func stretch(_ start: Bytes, _ end: Bytes) -> ByteView {
        borrowed.isEmpty ? window.bytes(from: start, to: end) : start.raw(end - start)
    }

    // Inlined, because a call would copy the reader.
    /// Returns the offset of a value in the text.
    @inline(__always) func offset(_ place: Bytes) -> Int { borrowed.source?.offset(place) ?? window.offset(place) }

    @inline(__always) var powers: PowersOfFive { plan.powers }

    /// Whether the bytes being read correspond to places in the text.
    var hasPlaces: Bool { borrowed.source?.isCopy ?? true }

    // MARK: Objects

    /// Reads an object by the rules of a node.
    mutating func object(_ start: Bytes, _ node: NodeRef, _ base: Memory) -> Bytes? {
        guard start.pointee == .openBrace else { return applyValueEntry(start, node, base) }
        guard enter(start) else { return nil }
        var place = token(start + 1)
        var seen: UInt64 = 0
        let wide = node.pointee.needsSetup ? open(start, node) : 0
        if place.pointee == .closeBrace {
            place += 1
        } else {
            let memory = keys.order(of: node)
            memory.pointee.visits &+= 1
            var guess = memory.pointee.first
            // The previous key: -1 at the start, -2 for one that was not learned.
            var previous = -1
            while true {
                let keyStart = place + 1
                var index = -1
                guard let value = member(place, node, memory, &index, &previous, &guess) else { return nil }
                place = value
                if index >= 0 {
                    let entry = node.pointee.entries + index
                    mark(entry, index, &seen, wide, keyStart, node, base)
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
        nesting.leave()
        if seen & node.pointee.mapped == 0 { foundNoKeys = true }
        let missing = node.pointee.required & ~seen
        if missing != 0 { answerMissing(missing, node, start, place, base) }
        if node.pointee.needsCompletion {
            guard finish(start, place, node, base, wide) else { return nil }
        }
        return place
    }

    // Without the optimizer, separate functions need less stack for nested objects.

    /// Records that the object has a member, and resets its property if it is a duplicate.
    @inline(__always) private mutating func mark(
        _ entry: EntryRef, _ index: Int, _ seen: inout UInt64, _ wide: Int, _ key: Bytes, _ node: NodeRef,
        _ base: Memory
    ) {
        if index < 64 {
            let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: index)
            if seen & bit != 0 { repeated(entry, key, node, base) }
            seen |= bit
        } else if markWide(wide + index) {
            repeated(entry, key, node, base)
        }
    }

    /// Reads the key of a member; returns the place of its value.
    @inline(__always) private mutating func member(
        _ start: Bytes, _ node: NodeRef, _ memory: Ref<KeyOrder>,
        _ index: inout Int, _ previous: inout Int, _ guess: inout Int
    ) -> Bytes? {
        guard start.pointee == .quote else { return nil }
        var place = start + 1
        if guess >= 0, case let learned = memory.pointee.learned.start, learned[guess].key.matches(place) {
            index = learned[guess].entry
            place += learned[guess].key.count &+ 1
            previous = guess
            guess = learned[guess].next
        } else {
            guard let end = key(place, node, memory, &index, &previous, &guess) else { return nil }
            place = end
        }
        place = token(place)
        return place.pointee == .colon ? token(place + 1) : nil
    }

    /// Reads a value that is not an object with the rule for the whole value; it has no keys.
    @inline(never) private mutating func applyValueEntry(_ start: Bytes, _ node: NodeRef, _ base: Memory) -> Bytes? {
        let wide = node.pointee.needsSetup ? open(start, node) : 0
        guard let valueEntry = node.pointee.valueEntry, let end = field(start, valueEntry, node, base) else {
            return nil
        }
        answerMissing(node.pointee.required, node, start, end, base)
        return finishRest(start, end, node, base, wide) ? end : nil
    }

    /// Handles a key other than the expected one.
    @inline(never) private mutating func key(
        _ start: Bytes, _ node: NodeRef, _ memory: Ref<KeyOrder>,
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
        // Learning pays off after the first object.
        guard memory.pointee.visits > 1 else { return stop + 1 }
        let known = memory.pointee.learn(start, count, entry: index, of: node, after: previous)
        previous = known >= 0 ? known : -2
        guess = known >= 0 ? memory.pointee.learned.start[known].next : -1
        return stop + 1
    }

    /// Opens an object that needs more than its keys read; returns the position of its first entry among `keys`.
    @inline(never) private mutating func open(_ start: Bytes, _ node: NodeRef) -> Int {
        if node.pointee.keepsContext { openContext(start, isWatched: node.pointee.watchesContextKeys) }
        return node.pointee.isWide ? keys.openWide(node.pointee.count) : 0
    }

    // A method of the reader, which stays in its register at the call.
    @inline(never) private mutating func markWide(_ position: Int) -> Bool { keys.markWide(position) }

    @inline(never) private mutating func closeWide(
        _ first: Int, _ node: NodeRef, _ start: Bytes, _ end: Bytes, _ base: Memory
    ) {
        var present: ObjectKeys?
        for index in 64..<node.pointee.count where !keys.wasSeen(first + index) {
            answerMissing(index, node, start, end, base, &present)
        }
        keys.closeWide(first)
    }

    @inline(never) private mutating func answerMissing(
        _ missing: UInt64, _ node: NodeRef, _ start: Bytes, _ end: Bytes, _ base: Memory
    ) {
        var present: ObjectKeys?
        for index in 0..<min(64, node.pointee.count) where missing & (1 << UInt64(index)) != 0 {
            answerMissing(index, node, start, end, base, &present)
        }
    }

    private mutating func answerMissing(
        _ index: Int, _ node: NodeRef, _ start: Bytes, _ end: Bytes, _ base: Memory, _ present: inout ObjectKeys?
    ) {
        // A patch does not change members that it does not contain.
        if isPatch, base == updated { return }
        let entry = node.pointee.entries + index
        if entry.pointee.isRequired { noteMissing(entry, index, node, start, end, &present) }
        if entry.pointee.isClearedWhenAbsent { clear(entry, start, node, base, for: .absence) }
    }

    /// Completes an object after its keys were read.
    ///
    /// - Parameter wide: The result of `open`.
    @inline(never) private mutating func finish(
        _ start: Bytes, _ end: Bytes, _ node: NodeRef, _ base: Memory, _ wide: Int
    ) -> Bool {
        if let valueEntry = node.pointee.valueEntry {
            // The object was just read, so reading it again cannot fail or leave the text in memory.
            let isRead = borrowing(
                stretch(start, end), offset(start), isCopy: hasPlaces, of: context == nil ? nil : textPlace(start),
                computedOffset: borrowed.computedOffset(start)
            ) { reader, place in
                reader.field(place, valueEntry, node, base)
            }
            guard isRead else { return false }
        }
        return finishRest(start, end, node, base, wide)
    }

    /// Handles missing keys of large objects, columns combined from several members, and rules for values around the
    /// object.
    private mutating func finishRest(
        _ start: Bytes, _ end: Bytes, _ node: NodeRef, _ base: Memory, _ wide: Int
    ) -> Bool {
        if node.pointee.isWide { closeWide(wide, node, start, end, base) }
        if let rest = node.pointee.completion { rest.with { $0.join(&self, at: start) } }
        if let rules = node.pointee.context {
            if borrowed.isEmpty, fence == window.fence { context?.finished = (start, end) }
            let isRead = rules.with { $0.read(&self, start, node, base) }
            context?.finished = nil
            guard isRead else { return false }
        }
        if node.pointee.keepsContext { context?.close() }
        return true
    }
}

/// The number of open objects and arrays, and its limit.
struct Nesting {
    var depth = 0
    let limit: Int
    /// The depth up to which no check is necessary.
    fileprivate var uncheckedDepth: Int
    /// Whether that depth was measured on the stack.
    fileprivate var isMeasured = false
    fileprivate var stack = StackRoom()

    init(limit: Int) {
        self.limit = limit
        uncheckedDepth = min(limit, StackRoom.uncheckedLevels)
    }

    /// Continues, possibly on another thread.
    mutating func resume() {
        if isMeasured { (uncheckedDepth, isMeasured) = (min(limit, StackRoom.uncheckedLevels), false) }
    }

    @inline(__always) mutating func leave() { depth &-= 1 }
}

extension PlanReader {
    /// Opens an object or array; returns false if it is nested too deeply.
    @inline(__always) mutating func enter(_ start: Bytes) -> Bool {
        nesting.depth &+= 1
        return nesting.depth <= nesting.uncheckedDepth || enterDeep(start)
    }

    @inline(never) private mutating func enterDeep(_ start: Bytes) -> Bool {
        guard nesting.depth <= nesting.limit else { return false }
        let levels = nesting.stack.levels
        if levels == 0 { failForStack(at: start) }
        if !nesting.isMeasured {
            // Measured once: another value can use more stack for the same depth.
            nesting.uncheckedDepth = min(nesting.limit, nesting.depth + max(0, levels - 1))
            nesting.isMeasured = true
        }
        return levels > 0
    }

    /// Whether the stack has space to read the value at a place; otherwise the caller returns as for invalid JSON.
    mutating func hasStack(for place: Bytes) -> Bool {
        if nesting.stack.hasRoom() { return true }
        failForStack(at: place)
        return false
    }
}
