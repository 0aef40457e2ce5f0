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

    @inline(never) private mutating func grow() {
        let larger = UnsafeMutablePointer<DecodeContext.Frame>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: start, count: count)
        start.deallocate()
        (start, capacity) = (larger, capacity * 2)
    }
}
