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
        var list: UnsafeRawPointer?
        /// Whether its members are the elements of a collection.
        var isCollection = false
        var tree: JSON?
    }

    /// What the caller gave beside the payload.
    let metadata: JSON
    private(set) var frames: [Frame] = []
    /// The way from the payload to the element that is being read.
    private var outer: [JSONPathStep] = []
    /// Whether each element is a document of its own, as a line is.
    private var isDocument = true
    /// Whether elements are the members of an object.
    private var isMember = false
    /// The array whose elements are being read next, and the number of the next one.
    var pending: (index: Int, list: UnsafeRawPointer?)?
    /// nil where only the element is in memory.
    private let payload: UnsafeRawBufferPointer?
    /// Bytes before it: of a mark.
    private let payloadOffset: Int
    private var payloadTree: JSON?
    /// Bytes of the element that were made trees, so that they never are many more than those that were read.
    private var parsed = 0
    private let maximumDepth: Int
    /// Whether a value around the object is broken: then what is said to be absent may only stand behind the mistake.
    private(set) var isBroken = false
    /// Whether something was wanted that stands outside of the element, which alone is in memory.
    private(set) var lacksPayload = false
    /// Where values stand, for issues: many objects may complain of one.
    private var known: [Location: Int] = [:]
    /// The key of the array whose elements are being read: each of them would search the text before it again.
    private var listKey: (list: UnsafeRawPointer, key: String?)?
    private struct Location: Hashable {
        var start: UnsafeRawPointer?
        var path: [JSONPathStep]
    }

    init(metadata: JSON, window: Window, maximumDepth: Int) {
        self.metadata = metadata
        payload = window.isWholeText ? window.bytes : nil
        payloadOffset = window.position.offset
        self.maximumDepth = maximumDepth
    }

    // MARK: What is being read

    /// Begins an element of a collection.
    func beginElement(of cursor: borrowing ElementCursor) {
        outer = cursor.steps
        isDocument = cursor.shape == .line
        isMember = cursor.memberKey != nil
        beginElement(index: isDocument ? cursor.index : outer.last?.index)
    }

    /// Begins the element of an array that is the payload.
    func beginElement(at index: Int) {
        outer = [.index(index)]
        isDocument = false
        beginElement(index: index)
    }

    private func beginElement(index: Int?) {
        frames.removeAll(keepingCapacity: true)
        pending = index.map { ($0, nil) }
        parsed = 0
        listKey = nil
        (isBroken, lacksPayload) = (false, false)
        if payload == nil { known.removeAll() }
    }

    /// Says which element of an array is read next; nil behind the last one.
    func willRead(element: (index: Int, list: TextPlace)?) {
        pending = element.map { ($0.index, $0.list.start) }
    }

    func open(_ place: TextPlace, offset: Int, isCollection: Bool) {
        frames.append(
            Frame(
                place: place, offset: offset, index: pending?.index, list: pending?.list, isCollection: isCollection))
        pending = nil
    }

    func close() { frames.removeLast() }

    /// Forgets the innermost frames.
    func close(to count: Int) {
        if frames.count > count { frames.removeLast(frames.count - count) }
        pending = nil
    }

    // MARK: What stands around it

    /// The frame of the object some levels further out; nil if it stands around the element.
    func frame(_ levels: Int) -> Int? {
        var frame = first(at: frames.count - 1)
        for _ in 0..<levels where frame >= 0 { frame = first(at: frame - 1) }
        return frame >= 0 ? frame : nil
    }

    /// The outermost frame of the same value: what is read twice is one object.
    private func first(at frame: Int) -> Int {
        var frame = frame
        while frame > 0, frames[frame - 1].place.start == frames[frame].place.start { frame -= 1 }
        return frame
    }

    /// How many levels further out the object stands that holds the object, or that holds one which does, and so on.
    ///
    /// An object whose members are the elements of a collection holds them as little as an array does.
    func levels(ofParent number: Int) -> Int {
        var (levels, rest) = (0, number)
        var frame = first(at: frames.count - 1)
        let count = outerKeys.count
        while rest > 0 {
            levels += 1
            frame = first(at: frame - 1)
            let outer = frame < 0 ? outerLevel(levels) : 0
            if outer > count { break }
            if frame >= 0 ? !frames[frame].isCollection : !(isMember && outer == 1) { rest -= 1 }
        }
        return levels
    }

    /// The place of the object in the array that holds it; nil if it stands in none.
    var index: Int? { frame(0).flatMap { frames[$0].index } }

    /// The key under which the object some levels further out stands.
    func key(_ levels: Int) -> String? {
        if let frame = frame(levels) {
            if frame > 0 || outer.isEmpty { return key(of: frames[frame]) }
            return outerKeys.last.flatMap { outer[$0].key }
        }
        let keys = outerKeys
        let position = keys.count - 1 - outerLevel(levels)
        return keys.indices.contains(position) ? outer[keys[position]].key : nil
    }

    /// The key under which a value, or the array that holds it, stands.
    private func key(of frame: Frame) -> String? {
        // A text that was made may give way to another one at the same place.
        guard let list = frame.list, isInPayload(frame.place) else { return frame.key.map { JSONText.unescaped($0) } }
        if let listKey, listKey.list == list { return listKey.key }
        let key = frame.key.map { JSONText.unescaped($0) }
        listKey = (list, key)
        return key
    }

    /// The object some levels further out.
    func object(_ levels: Int) -> JSON? {
        if let frame = frame(levels) { return tree(frame) }
        let keys = outerKeys
        let position = keys.count - outerLevel(levels)
        guard !isDocument, keys.indices.contains(position) else { return nil }
        return root?.value(at: outer[..<keys[position]])
    }

    /// Which of the objects around the element that many levels lead to; 1 is the innermost one.
    private func outerLevel(_ levels: Int) -> Int {
        var inside = 0
        var frame = first(at: frames.count - 1)
        while frame >= 0 {
            inside += 1
            frame = first(at: frame - 1)
        }
        return levels - inside + 1
    }

    /// Where the way to the element goes through objects.
    private var outerKeys: [Int] { outer.indices.filter { outer[$0].key != nil } }

    /// The whole payload.
    var root: JSON? {
        if isDocument || outer.isEmpty { return frames.isEmpty ? nil : tree(0) }
        lacksPayload = payload == nil
        if payloadTree == nil { payloadTree = payload.flatMap { parse($0) } }
        return payloadTree
    }

    // MARK: Trees

    private func tree(_ frame: Int) -> JSON? {
        if let tree = frames[frame].tree { return tree }
        if let tree = treeFromOutside(frame) { return tree }
        let place = frames[frame].place
        // Each object within an object might want its own tree: that would be the innermost one's bytes again and again.
        let outermost = outermost(frame)
        if parsed > 2 * (place.start - frames[outermost].place.start) + (1 << 12) {
            frames[outermost].tree = parse(frames[outermost].place.rest)
            if let tree = treeFromOutside(frame) { return tree }
        }
        frames[frame].tree = parse(place.rest)
        return frames[frame].tree
    }

    /// The tree of a frame as a part of the tree of one around it; those between get theirs, too.
    private func treeFromOutside(_ frame: Int) -> JSON? {
        var known = frame
        while frames[known].tree == nil {
            guard known > 0, frames[known].place.head == frames[known - 1].place.head else { return nil }
            known -= 1
        }
        while known < frame {
            known += 1
            guard let tree = frames[known - 1].tree.flatMap({ step(into: frames[known], from: frames[known - 1], $0) })
            else { return nil }
            frames[known].tree = tree
        }
        return frames[frame].tree
    }

    private func step(into frame: Frame, from outer: Frame, _ tree: JSON) -> JSON? {
        if frame.place.start == outer.place.start { return tree }
        guard let key = key(of: frame) else { return nil }
        let member = tree[key]
        let value = frame.index.map { member[$0] } ?? member
        return value.exists ? value : nil
    }

    /// The outermost frame in the same text.
    private func outermost(_ frame: Int) -> Int {
        frames[...frame].firstIndex { $0.place.head == frames[frame].place.head } ?? frame
    }

    private func parse(_ bytes: UnsafeRawBufferPointer) -> JSON? {
        var parser = JSONParser(bytes, maximumDepth: maximumDepth)
        let value = parser.parseFirst()
        parsed += parser.offset
        if value == nil { isBroken = true }
        return value
    }
}

// MARK: - Places of issues

extension DecodeContext {
    /// Bytes before a value in the object some levels further out, in the payload.
    func offset(of path: [JSONPathStep], inObject levels: Int) -> Int? {
        if let frame = frame(levels) {
            let place = frames[frame].place
            return isInPayload(place) ? frames[frame].offset + offset(of: path, in: place.rest) : frames[frame].offset
        }
        let keys = outerKeys
        let position = keys.count - outerLevel(levels)
        return keys.indices.contains(position) ? offset(inRoot: outer[..<keys[position]] + path) : nil
    }

    /// Bytes before a value in the payload.
    func offset(inRoot path: [JSONPathStep]) -> Int? {
        if isDocument || outer.isEmpty {
            return frames.first.map { $0.offset + offset(of: path, in: $0.place.rest) }
        }
        return payload.map { payloadOffset + offset(of: path, in: $0) }
    }

    /// Bytes before the key under which the object some levels further out stands.
    func offset(ofKey levels: Int) -> Int? {
        guard let frame = frame(levels), isInPayload(frames[frame].place),
            let key = frames[frame].key?.baseAddress
        else { return nil }
        return frames[frame].offset - (frames[frame].place.start - key) - 1
    }

    private func offset(of path: [JSONPathStep], in text: UnsafeRawBufferPointer) -> Int {
        let location = Location(start: text.baseAddress, path: path)
        if let offset = known[location] { return offset }
        let offset = DocumentWalker.position(of: path, in: text)?.offset ?? 0
        known[location] = offset
        return offset
    }

    /// Whether a place is in the text that is read, not in one that was made of it.
    private func isInPayload(_ place: TextPlace) -> Bool { place.head == frames.first?.place.head }
}

extension DecodeContext.Frame {
    /// The text of the key under which the value, or the array that holds it, stands; nil if it stands under none.
    fileprivate var key: UnsafeRawBufferPointer? { place.key(before: list ?? place.start) }
}

extension JSONPathStep {
    fileprivate var key: String? { if case .key(let key) = self { key } else { nil } }
    fileprivate var index: Int? { if case .index(let index) = self { index } else { nil } }
}

extension JSON {
    /// The value that steps lead to.
    fileprivate func value(at steps: ArraySlice<JSONPathStep>) -> JSON? {
        var value = self
        for step in steps {
            switch step {
            case .key(let key): value = value[key]
            case .index(let index): value = value[index]
            }
        }
        return value.exists ? value : nil
    }
}
