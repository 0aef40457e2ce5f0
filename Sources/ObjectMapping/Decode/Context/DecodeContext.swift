/// The context of the objects in one decode: the open objects, and the metadata from the caller.
final class DecodeContext {
    /// A value that is being read.
    struct Frame {
        var place: TextPlace
        /// Its offset in the payload; for a created value, the offset of its source.
        var offset: Int
        /// Its index in its array.
        var index: Int?
        /// The start of that array.
        var list: Bytes?
        /// Whether its members are the elements of a collection.
        var isCollection = false
        /// Whether the reader of its members detects duplicates of keys that sources look up.
        var isWatched = false
        /// Which locations of looked-up members are known.
        fileprivate(set) var search = Search.none
        /// Whether it has a row in `values`.
        fileprivate var hasValues = false
    }

    /// The members of an object whose locations are known.
    enum Search {
        case none
        /// Some of those before the current member; duplicates may follow.
        case early
        case all
    }

    /// The metadata from the caller.
    let metadata: JSON
    // Exclusivity unchecked: a context belongs to one decode and no access outlasts a call; objects start and end
    // frequently.
    @safe @exclusivity(unchecked) private(set) var frames = ContextFrames(capacity: 16)
    @safe @exclusivity(unchecked) private(set) var outer = OuterPath()
    /// The array whose elements are read next, and the index of the next one.
    @safe @exclusivity(unchecked) var pending: (index: Int, list: Bytes?)?
    /// The whole payload; `nil` if only the element is in memory.
    let payload: ByteView?
    /// The number of bytes before it: those of a byte order mark.
    let payloadOffset: Int
    @safe @exclusivity(unchecked) private var payloadTree: JSON?
    /// The trees of frames.
    @safe @exclusivity(unchecked) private var trees: [JSON?] = []
    /// The locations of looked-up members.
    @safe @exclusivity(unchecked) var members: ContextMembers
    /// The value whose context rules are running, if it is in the text; it is valid.
    @safe @exclusivity(unchecked) var finished: (start: Bytes, end: Bytes)?
    @safe @exclusivity(unchecked) private var values: ComputedValues
    @safe @exclusivity(unchecked) private var parser: TreeParser
    /// Whether a value outside of the element was requested, but only the element is in memory.
    @safe @exclusivity(unchecked) private(set) var lacksPayload = false
    /// The offsets of values for issues, because many objects may report the same value.
    var known: [Location: Int] = [:]
    /// The key of the current array, cached for all of its elements.
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

    /// Starts an element of a collection.
    func beginElement(of cursor: borrowing ElementCursor) { beginElement(index: outer.move(to: cursor)) }

    /// Starts an element of an array that is the payload.
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

    /// Sets the array element that is read next; `nil` after the last one.
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

    /// Removes the innermost frames.
    func close(to count: Int) {
        frames.truncate(to: count)
        if trees.count > count { trees.removeLast(trees.count - count) }
        pending = nil
    }

    // MARK: What stands around it

    /// Returns the frame of the object a number of levels further out; `nil` if it is outside of the element.
    func frame(_ levels: Int) -> Int? {
        let frame = frames.outward(levels)
        return frame >= 0 ? frame : nil
    }

    /// Returns the number of levels to the parent object, its parent and so on.
    ///
    /// An object whose members are the elements of a collection does not count as a parent, like an array.
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

    /// The index of the object in its array; `nil` if it is not in an array.
    var index: Int? { frame(0).flatMap { frames[$0].index } }

    /// Returns the key of the object a number of levels further out.
    func key(_ levels: Int) -> ContextValue? {
        if let frame = frame(levels) {
            // A member follows its key, unless only the member is in memory.
            if frame > 0 || outer.steps.isEmpty || (outer.isMember && payload != nil) {
                return key(of: frames[frame]).map(value)
            }
            return outer.key(ofObject: 0).map { .made(MadeValue(.string($0))) }
        }
        return outer.key(ofObject: outerLevel(levels)).map { .made(MadeValue(.string($0))) }
    }

    /// Returns a key as a value.
    private func value(_ key: ByteView) -> ContextValue {
        let quoted = Bytes(key).map { ($0 - 1).raw(key.count + 2) }
        return quoted.flatMap(ContextValue.init) ?? .made(MadeValue(.string(JSONText.unescaped(key))))
    }

    /// Returns the key of a value, or of the array that contains it.
    private func key(of frame: Frame) -> ByteView? {
        // A created text can be replaced with another one at the same address.
        guard let list = frame.list, isInPayload(frame.place) else { return frame.key }
        if let listKey, listKey.list == list { return listKey.key }
        let key = frame.key
        listKey = (list, key)
        return key
    }

    /// Returns the object a number of levels further out.
    func object(_ levels: Int) -> JSON? {
        if let frame = frame(levels) { return tree(frame) }
        return stepsOutside(levels).flatMap { root?.value(at: outer.steps[..<$0]).present }
    }

    /// Returns the number of steps from the payload to the object a number of levels further out, around the element;
    /// `nil` if it does not exist.
    func stepsOutside(_ levels: Int) -> Int? { outer.isDocument ? nil : outer.count(toObject: outerLevel(levels)) }

    /// Returns the index of the object around the element for a number of levels; 1 is the innermost one.
    func outerLevel(_ levels: Int) -> Int {
        var inside = 0
        var frame = frames.outermost(of: frames.count - 1)
        while frame >= 0 {
            inside += 1
            frame = frames.outermost(of: frame - 1)
        }
        return levels - inside + 1
    }

    /// Whether a value around the object is invalid.
    var isBroken: Bool { parser.isBroken }

    /// Whether the whole payload is being read, and not an element of it.
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
    /// Returns the value computed for a path in a frame; `nil` if it was not computed yet.
    func computed(_ path: ContextPath, in frame: Int) -> ComputedValues.Value? {
        frames[frame].hasValues ? values.frames[path.number, of: frame] : nil
    }

    /// Stores the value computed for a path in a frame until the frame is closed.
    func keep(_ value: ComputedValues.Value, for path: ContextPath, in frame: Int) {
        if !frames[frame].hasValues {
            values.frames.clear(frame)
            frames[frame].hasValues = true
        }
        values.frames[path.number, of: frame] = value
    }

    /// Returns the value at a path around the element, a number of steps from the payload.
    func value(at path: ContextPath, outside count: Int) throws(OperatorMismatch) -> ContextValue? {
        let steps = outer.steps[..<count]
        return try values.value(for: path, at: steps) {
            root?.value(at: steps).present?.computed(at: path.path.components[...])
        }
    }

    /// Returns the value at a path in the metadata.
    func metadata(at path: ContextPath) throws(OperatorMismatch) -> ContextValue? {
        try values.value(for: path, at: []) { metadata.computed(at: path.path.components[...]) }
    }

    /// Whether the members of a frame's object may be searched for in its text, which is skipped.
    func maySearch(_ frame: Int) -> Bool {
        guard !trees.indices.contains(frame) || trees[frame] == nil else { return false }
        return !isCostly(frame)
    }

    /// - Parameter count: The number of bytes of the object that were searched; `nil` if it is invalid.
    func endSearch(of frame: Int, _ search: Search, count: Int?) {
        frames[frame].search = search
        parser.add(count)
    }

    /// Whether members of a frame's object may be used before it is read completely, and were not searched for yet.
    func mayLookEarly(at frame: Int) -> Bool { frames[frame].isWatched && frames[frame].search == .none }

    /// Whether the location of a member of a frame's object is known, by an early or a complete search.
    func isLocationKnown(_ number: Int, of frame: Int) -> Bool {
        frames[frame].search != .none && members.frames[number, of: frame] != nil
    }

    // MARK: Trees

    func parse(_ bytes: ByteView) -> JSON? { parser.parse(bytes) }

    func tree(_ frame: Int) -> JSON? {
        if let tree = trees.indices.contains(frame) ? trees[frame] : nil { return tree }
        if let tree = treeFromOuterTree(frame) { return tree }
        if isCostly(frame) {
            let outermost = outermost(frame)
            keep(parse(frames[outermost].place.rest), outermost)
            if let tree = treeFromOuterTree(frame) { return tree }
        }
        keep(parse(frames[frame].place.rest), frame)
        return trees[frame]
    }

    /// Avoids quadratic cost: each nested object could need a separate tree.
    private func isCostly(_ frame: Int) -> Bool {
        parser.exceeds(frames[frame].place.start - frames[outermost(frame)].place.start)
    }

    private func keep(_ tree: JSON?, _ frame: Int) {
        if trees.count <= frame { trees += repeatElement(nil, count: frame + 1 - trees.count) }
        trees[frame] = tree
    }

    /// Returns the tree of a frame as a part of an outer tree; frames in between receive theirs, too.
    private func treeFromOuterTree(_ frame: Int) -> JSON? {
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
    /// The raw key of the value, or of the array that contains it; `nil` if it has no key.
    var key: ByteView? { place.key(before: list ?? place.start) }
}

/// Offsets of issues in the payload.
extension DecodeContext {
    /// Returns the offset of a value in the object a number of levels further out.
    func offset(of path: [JSONPathStep], inObject levels: Int) -> Int? {
        if let frame = frame(levels) {
            let place = frames[frame].place
            return isInPayload(place) ? frames[frame].offset + offset(of: path, in: place.rest) : frames[frame].offset
        }
        return outer.count(toObject: outerLevel(levels)).flatMap { offset(inRoot: outer.steps[..<$0] + path) }
    }

    /// Returns the offset of a value in the payload.
    func offset(inRoot path: [JSONPathStep]) -> Int? {
        if isPayloadRead {
            return frames.first.map { $0.offset + offset(of: path, in: $0.place.rest) }
        }
        return payload.map { payloadOffset + offset(of: path, in: $0) }
    }

    /// Returns the offset of the key of the object a number of levels further out.
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

    /// Whether a place is in the text that is read, and not in a created one.
    func isInPayload(_ place: TextPlace) -> Bool { place.head == frames.first?.place.head }
}
