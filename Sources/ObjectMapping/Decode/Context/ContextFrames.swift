/// The values that are being read, outermost first.
///
/// They use separate memory, because objects start and end frequently, and an array counts references for each.
typealias ContextFrames = GrowingMemory<DecodeContext.Frame>

extension ContextFrames {
    var isEmpty: Bool { count == 0 }
    var first: DecodeContext.Frame? { isEmpty ? nil : start.pointee }

    subscript(index: Int) -> DecodeContext.Frame {
        get {
            precondition(0..<count ~= index)
            return start[index]
        }
        _modify {
            precondition(0..<count ~= index)
            yield &start[index]
        }
    }

    /// Returns the frame of the value a number of levels further out; -1 if it does not exist.
    func outward(_ levels: Int) -> Int {
        var frame = outermost(of: count - 1)
        for _ in 0..<levels where frame >= 0 { frame = outermost(of: frame - 1) }
        return frame
    }

    /// Returns the frame of the parent object (1), its parent (2) and so on; -1 if it does not exist.
    func parent(_ number: Int) -> Int {
        var frame = outermost(of: count - 1)
        var rest = number
        while rest > 0, frame >= 0 {
            frame = outermost(of: frame - 1)
            if frame >= 0, !self[frame].isCollection { rest -= 1 }
        }
        return frame
    }

    /// Returns the outermost frame of the same value: a value that is read twice is one object.
    func outermost(of frame: Int) -> Int {
        var frame = frame
        while frame > 0, self[frame - 1].place.start == self[frame].place.start { frame -= 1 }
        return frame
    }

    /// Returns the start of the member in which the inner frames are; `nil` if it is not known.
    func memberWithin(_ frame: Int) -> Bytes? {
        var inner = frame + 1
        while inner < count, self[inner].place.start == self[frame].place.start { inner += 1 }
        guard inner < count, self[inner].place.head == self[frame].place.head else { return nil }
        return self[inner].list ?? self[inner].place.start
    }
}

/// The locations of members that sources look up.
struct ContextMembers {
    /// The keys of the members; their numbers are the offsets of the entries.
    private let keys: NodeRef?
    /// Bit `n`: one of the keys has `n` bytes, 63 or more for the last bit.
    private let keyLengths: UInt64
    /// The texts of the members' values by their numbers, in searched frames; `nil` if a member is absent.
    var frames: FrameTable<ByteView>

    var count: Int { frames.width }

    init(_ keys: NodeRef?) {
        self.keys = keys
        frames = FrameTable(width: keys?.pointee.count ?? 0)
        keyLengths = (0..<frames.width).reduce(0) { bits, index in
            bits | 1 << UInt64(min(63, keys?.pointee.keys[index].count ?? 0))
        }
    }

    /// Returns the number of the member with a key; `nil` if no source looks it up.
    @inline(__always) func number(of key: Bytes, _ count: Int) -> Int? {
        guard let keys, keyLengths & (1 << UInt64(min(63, count))) != 0 else { return nil }
        let index = keys.pointee.find(key, count)
        return index < 0 ? nil : keys.pointee.entries[index].offset
    }
}

/// The path from the payload to the element that is being read.
struct OuterPath {
    private(set) var steps: [JSONPathStep] = []
    /// The start of the array in the path, apart from the last step.
    private var list: Int?
    /// Whether each element is a separate document, such as a line.
    private(set) var isDocument = true
    /// Whether elements are the members of an object.
    private(set) var isMember = false

    /// Moves to the current element of a collection.
    ///
    /// - Returns: The index of the element; `nil` if it is not in an array.
    mutating func move(to cursor: borrowing ElementCursor) -> Int? {
        if cursor.isInElements, cursor.listOffset == list, !steps.isEmpty {
            steps[steps.count - 1] = .index(cursor.elementIndex)
        } else {
            cursor.write(to: &steps)
            list = cursor.isInElements ? cursor.listOffset : nil
        }
        isDocument = cursor.shape == .line
        isMember = cursor.memberKey != nil
        return isDocument ? cursor.index : steps.last?.index
    }

    /// Moves to an element of the array that is the payload.
    mutating func move(to index: Int) {
        steps = [.index(index)]
        list = nil
        isDocument = false
    }

    /// Whether the whole payload is being read, and not an element of it.
    var isEmpty: Bool { isDocument || steps.isEmpty }

    /// The number of objects in the path.
    var objectCount: Int { steps.count { $0.key != nil } }

    /// Returns the number of steps to the object a number of objects before the element; `nil` if it does not exist.
    func count(toObject level: Int) -> Int? {
        let keys = steps.indices.filter { steps[$0].key != nil }
        let position = keys.count - level
        return keys.indices.contains(position) ? keys[position] : nil
    }

    /// Returns the key of the value a number of objects before the element; `nil` if it does not exist.
    func key(ofObject level: Int) -> String? { count(toObject: level + 1).flatMap { steps[$0].key } }
}
