/// The values that are being read, the outermost first.
///
/// In memory of its own: objects begin and end all the time, and an array counts references for each.
struct ContextFrames {
    private var start: UnsafeMutablePointer<DecodeContext.Frame>
    private(set) var count = 0
    private var capacity = 16

    init() { start = .allocate(capacity: capacity) }

    func free() { start.deallocate() }

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

    mutating func append(_ frame: DecodeContext.Frame) {
        if count == capacity { grow() }
        (start + count).initialize(to: frame)
        count += 1
    }

    /// Forgets the innermost ones; as many stay as are said.
    mutating func truncate(to count: Int) { self.count = min(max(0, count), self.count) }

    /// The frame of the value some levels further out; -1 if there is none.
    func outward(_ levels: Int) -> Int {
        var frame = outermost(of: count - 1)
        for _ in 0..<levels where frame >= 0 { frame = outermost(of: frame - 1) }
        return frame
    }

    /// The frame of the object that holds the innermost one, for 1, of the one that holds that one, for 2; -1 if there is
    /// none.
    func parent(_ number: Int) -> Int {
        var frame = outermost(of: count - 1)
        var rest = number
        while rest > 0, frame >= 0 {
            frame = outermost(of: frame - 1)
            if frame >= 0, !self[frame].isCollection { rest -= 1 }
        }
        return frame
    }

    /// The outermost frame of the same value: what is read twice is one object.
    func outermost(of frame: Int) -> Int {
        var frame = frame
        while frame > 0, self[frame - 1].place.start == self[frame].place.start { frame -= 1 }
        return frame
    }

    /// Where the member of a frame's object begins in which the frames within are; nil if that is not known.
    func memberWithin(_ frame: Int) -> UnsafeRawPointer? {
        var inner = frame + 1
        while inner < count, self[inner].place.start == self[frame].place.start { inner += 1 }
        guard inner < count, self[inner].place.head == self[frame].place.head else { return nil }
        return self[inner].list ?? self[inner].place.start
    }

    @inline(never) private mutating func grow() {
        let larger = UnsafeMutablePointer<DecodeContext.Frame>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: start, count: count)
        start.deallocate()
        (start, capacity) = (larger, capacity * 2)
    }
}
