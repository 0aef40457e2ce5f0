/// What stands around the objects that one decode reads: the open objects, and what the caller gave beside the payload.
final class DecodeContext {
    /// A value that is being read.
    struct Frame {
        var place: TextPlace
        /// Bytes before it in the payload; for a value that was made, before the one it was made of.
        var offset: Int
        /// Its place in the array that holds it.
        var index: Int?
        /// Where that array begins.
        var list: Bytes?
        /// Whether its members are the elements of a collection.
        var isCollection = false
        /// Whether the reader of its members notices when one that sources look up comes again.
        var isWatched = false
        /// Where its members stand that sources look up: of which of them that is known.
        fileprivate(set) var search = Search.none
        /// Whether it has a row in `values`.
        fileprivate var hasValues = false
    }

    /// For which members of an object it is known where they stand.
    enum Search {
        case none
        /// Some of those before the one that is being read; that none of them comes again is to be seen yet.
        case early
        case all
    }

    /// What the caller gave beside the payload.
    let metadata: JSON
    // Exclusivity unchecked: a context belongs to one decode and no access outlasts a call; objects begin and end all the
    // time.
    @safe @exclusivity(unchecked) private(set) var frames = ContextFrames()
    @safe @exclusivity(unchecked) private(set) var outer = OuterPath()
    /// The array whose elements are being read next, and the number of the next one.
    @safe @exclusivity(unchecked) var pending: (index: Int, list: Bytes?)?
    /// nil where only the element is in memory.
    let payload: ByteView?
    /// Bytes before it: of a mark.
    let payloadOffset: Int
    @safe @exclusivity(unchecked) private var payloadTree: JSON?
    /// The trees of the frames that have one, for as many frames as there are.
    @safe @exclusivity(unchecked) private var trees: [JSON?] = []
    /// Where the members stand that sources look up.
    @safe @exclusivity(unchecked) var members: ContextMembers
    /// The value whose rules for what stands around it are run, if it lies in the text as that is read: it is sound.
    @safe @exclusivity(unchecked) var finished: (start: Bytes, end: Bytes)?
    @safe @exclusivity(unchecked) private var values: ComputedValues
    @safe @exclusivity(unchecked) private var parser: TreeParser
    /// Whether something was wanted that stands outside of the element, which alone is in memory.
    @safe @exclusivity(unchecked) private(set) var lacksPayload = false
    /// Where values stand, for issues: many objects may complain of one.
    var known: [Location: Int] = [:]
    /// The key of the array whose elements are being read: each of them would search the text before it again.
    @safe @exclusivity(unchecked) private var listKey: (list: Bytes, key: ByteView?)?
    struct Location: Hashable {
        var start: Bytes?
        var path: [JSONPathStep]
    }

    init(metadata: JSON, window: Window, plan: Plan, maximumDepth: Int) {
        members = ContextMembers(plan.contextKeys)
        values = ComputedValues(pathCount: plan.contextPathCount)
        self.metadata = metadata
        payload = window.isWholeText ? window.bytes : nil
        payloadOffset = window.position.offset
        parser = TreeParser(maximumDepth: maximumDepth)
    }

    // MARK: What is being read

    /// Begins an element of a collection.
    func beginElement(of cursor: borrowing ElementCursor) { beginElement(index: outer.move(to: cursor)) }

    /// Begins the element of an array that is the payload.
    func beginElement(at index: Int) {
        outer.move(to: index)
        beginElement(index: index)
    }

    private func beginElement(index: Int?) {
        frames.truncate(to: 0)
        if !trees.isEmpty { trees.removeAll(keepingCapacity: true) }
        pending = index.map { ($0, nil) }
        parser.reset()
        listKey = nil
        lacksPayload = false
        if payload == nil { known.removeAll() }
    }

    /// Says which element of an array is read next; nil behind the last one.
    func willRead(element: (index: Int, list: TextPlace)?) { pending = element.map { ($0.index, $0.list.start) } }

    func open(_ place: TextPlace, offset: Int, isCollection: Bool, isWatched: Bool) {
        frames.append(
            Frame(
                place: place, offset: offset, index: pending?.index, list: pending?.list, isCollection: isCollection,
                isWatched: isWatched))
        pending = nil
    }

    func close() {
        frames.truncate(to: frames.count - 1)
        if trees.count > frames.count { trees.removeLast() }
    }

    /// Forgets the innermost frames.
    func close(to count: Int) {
        frames.truncate(to: count)
        if trees.count > count { trees.removeLast(trees.count - count) }
        pending = nil
    }

    // MARK: What stands around it

    /// The frame of the object some levels further out; nil if it stands around the element.
    func frame(_ levels: Int) -> Int? {
        let frame = frames.outward(levels)
        return frame >= 0 ? frame : nil
    }

    /// How many levels further out the object stands that holds the object, or that holds one which does, and so on.
    ///
    /// An object whose members are the elements of a collection holds them as little as an array does.
    func levels(ofParent number: Int) -> Int {
        var (levels, rest) = (0, number)
        var frame = frames.outermost(of: frames.count - 1)
        while rest > 0 {
            levels += 1
            frame = frames.outermost(of: frame - 1)
            if frame >= 0 {
                if !frames[frame].isCollection { rest -= 1 }
                continue
            }
            let level = outerLevel(levels)
            if level > outer.objectCount { break }
            if !(outer.isMember && level == 1) { rest -= 1 }
        }
        return levels
    }

    /// The place of the object in the array that holds it; nil if it stands in none.
    var index: Int? { frame(0).flatMap { frames[$0].index } }

    /// The key under which the object some levels further out stands.
    func key(_ levels: Int) -> ContextValue? {
        if let frame = frame(levels) {
            // The key of a member stands before it, unless only the member is in memory.
            if frame > 0 || outer.steps.isEmpty || (outer.isMember && payload != nil) {
                return key(of: frames[frame]).map(value)
            }
            return outer.key(ofObject: 0).map { .made(MadeValue(.string($0))) }
        }
        return outer.key(ofObject: outerLevel(levels)).map { .made(MadeValue(.string($0))) }
    }

    /// A key as a value, by its bytes between the quotes.
    private func value(_ key: ByteView) -> ContextValue {
        let quoted = Bytes(key).map { ($0 - 1).raw(key.count + 2) }
        return quoted.flatMap(ContextValue.init) ?? .made(MadeValue(.string(JSONText.unescaped(key))))
    }

    /// The text of the key under which a value, or the array that holds it, stands.
    private func key(of frame: Frame) -> ByteView? {
        // A text that was made may give way to another one at the same place.
        guard let list = frame.list, isInPayload(frame.place) else { return frame.key }
        if let listKey, listKey.list == list { return listKey.key }
        let key = frame.key
        listKey = (list, key)
        return key
    }

    /// The object some levels further out.
    func object(_ levels: Int) -> JSON? {
        if let frame = frame(levels) { return tree(frame) }
        return stepsOutside(levels).flatMap { root?.value(at: outer.steps[..<$0]).present }
    }

    /// How many steps lead from the payload to the object some levels further out, which stands around the element; nil
    /// if there is none.
    func stepsOutside(_ levels: Int) -> Int? { outer.isDocument ? nil : outer.count(toObject: outerLevel(levels)) }

    /// Which of the objects around the element that many levels lead to; 1 is the innermost one.
    func outerLevel(_ levels: Int) -> Int {
        var inside = 0
        var frame = frames.outermost(of: frames.count - 1)
        while frame >= 0 {
            inside += 1
            frame = frames.outermost(of: frame - 1)
        }
        return levels - inside + 1
    }

    /// Whether a value around the object is broken.
    var isBroken: Bool { parser.isBroken }

    /// Whether the payload is what is being read, not only an element of it.
    var isPayloadRead: Bool { outer.isEmpty }

    /// The whole payload.
    var root: JSON? {
        if isPayloadRead { return frames.isEmpty ? nil : tree(0) }
        lacksPayload = payload == nil
        if payloadTree == nil { payloadTree = payload.flatMap { parse($0) } }
        return payloadTree
    }

}

// MARK: - Values

extension DecodeContext {
    /// What was computed for a path in a frame; nil if nothing was yet.
    func computed(_ path: ContextPath, in frame: Int) -> ComputedValues.Value? {
        frames[frame].hasValues ? values[path, frame] : nil
    }

    /// Keeps what was computed for a path in a frame, for as long as that is open.
    func keep(_ value: ComputedValues.Value, for path: ContextPath, in frame: Int) {
        if !frames[frame].hasValues {
            values.clear(frame)
            frames[frame].hasValues = true
        }
        values[path, frame] = value
    }

    /// The value at a path in what stands around the element, so many steps from the payload.
    func value(at path: ContextPath, outside count: Int) throws(OperatorMismatch) -> ContextValue? {
        let steps = outer.steps[..<count]
        return try values.value(for: path, at: steps) {
            root?.value(at: steps).present?.computed(at: path.path.components[...])
        }
    }

    /// The value at a path in what the caller gave beside the payload.
    func metadata(at path: ContextPath) throws(OperatorMismatch) -> ContextValue? {
        try values.value(for: path, at: []) { metadata.computed(at: path.path.components[...]) }
    }

    /// Whether the members of a frame's object may be looked for in its text, which is passed over then.
    func maySearch(_ frame: Int) -> Bool {
        guard !trees.indices.contains(frame) || trees[frame] == nil else { return false }
        return !isCostly(frame)
    }

    /// - Parameter count: Bytes of the object that were looked at; nil if it is broken.
    func endSearch(of frame: Int, _ search: Search, count: Int?) {
        frames[frame].search = search
        parser.add(count)
    }

    /// Whether some members of a frame's object may be taken before it is read to its end, and were not looked for yet.
    func mayLookEarly(at frame: Int) -> Bool { frames[frame].isWatched && frames[frame].search == .none }

    /// Whether it was found early, or else looking for all, where a member of a frame's object stands.
    func knowsEarly(_ number: Int, of frame: Int) -> Bool {
        frames[frame].search != .none && members[number, of: frame] != nil
    }

    // MARK: Trees

    func parse(_ bytes: ByteView) -> JSON? { parser.parse(bytes) }

    func tree(_ frame: Int) -> JSON? {
        if let tree = trees.indices.contains(frame) ? trees[frame] : nil { return tree }
        if let tree = treeFromOutside(frame) { return tree }
        if isCostly(frame) {
            let outermost = outermost(frame)
            keep(parse(frames[outermost].place.rest), outermost)
            if let tree = treeFromOutside(frame) { return tree }
        }
        keep(parse(frames[frame].place.rest), frame)
        return trees[frame]
    }

    /// Each object within an object might want its own tree: that would be the innermost one's bytes again and again.
    private func isCostly(_ frame: Int) -> Bool {
        parser.exceeds(frames[frame].place.start - frames[outermost(frame)].place.start)
    }

    private func keep(_ tree: JSON?, _ frame: Int) {
        if trees.count <= frame { trees += repeatElement(nil, count: frame + 1 - trees.count) }
        trees[frame] = tree
    }

    /// The tree of a frame as a part of the tree of one around it; those between get theirs, too.
    private func treeFromOutside(_ frame: Int) -> JSON? {
        var known = frame
        while !trees.indices.contains(known) || trees[known] == nil {
            guard known > 0, frames[known].place.head == frames[known - 1].place.head else { return nil }
            known -= 1
        }
        while known < frame {
            known += 1
            guard let tree = trees[known - 1].flatMap({ step(into: frames[known], from: frames[known - 1], $0) }) else {
                return nil
            }
            keep(tree, known)
        }
        return trees[frame]
    }

    private func step(into frame: Frame, from outer: Frame, _ tree: JSON) -> JSON? {
        if frame.place.start == outer.place.start { return tree }
        guard let key = key(of: frame).map({ JSONText.unescaped($0) }) else { return nil }
        let member = tree[key]
        let value = frame.index.map { member[$0] } ?? member
        return value.exists ? value : nil
    }

    /// The outermost frame in the same text.
    private func outermost(_ frame: Int) -> Int {
        (0...frame).first { frames[$0].place.head == frames[frame].place.head } ?? frame
    }
}

extension DecodeContext.Frame {
    /// The text of the key under which the value, or the array that holds it, stands; nil if it stands under none.
    var key: ByteView? { place.key(before: list ?? place.start) }
}

/// Where in the payload issues are.
extension DecodeContext {
    /// Bytes before a value in the object some levels further out, in the payload.
    func offset(of path: [JSONPathStep], inObject levels: Int) -> Int? {
        if let frame = frame(levels) {
            let place = frames[frame].place
            return isInPayload(place) ? frames[frame].offset + offset(of: path, in: place.rest) : frames[frame].offset
        }
        return outer.count(toObject: outerLevel(levels)).flatMap { offset(inRoot: outer.steps[..<$0] + path) }
    }

    /// Bytes before a value in the payload.
    func offset(inRoot path: [JSONPathStep]) -> Int? {
        if isPayloadRead {
            return frames.first.map { $0.offset + offset(of: path, in: $0.place.rest) }
        }
        return payload.map { payloadOffset + offset(of: path, in: $0) }
    }

    /// Bytes before the key under which the object some levels further out stands.
    func offset(ofKey levels: Int) -> Int? {
        guard let frame = frame(levels), isInPayload(frames[frame].place),
            let key = frames[frame].key.flatMap({ Bytes($0) })
        else { return nil }
        return frames[frame].offset - (frames[frame].place.start - key) - 1
    }

    private func offset(of path: [JSONPathStep], in text: ByteView) -> Int {
        let location = Location(start: Bytes(text), path: path)
        if let offset = known[location] { return offset }
        let offset = JSONTokenizer.offset(ofNearest: path, in: text)
        known[location] = offset
        return offset
    }

    /// Whether a place is in the text that is read, not in one that was made of it.
    func isInPayload(_ place: TextPlace) -> Bool { place.head == frames.first?.place.head }
}
