/// Texts that one decode has made of bytes that stay where they are: the same bytes again share the text.
///
/// A rule whose texts hardly ever repeat is left alone after some tries, so that names cost nothing and titles of
/// projects are made once.
struct TextCache: ~Copyable {
    private struct Slot {
        var start: Bytes
        var count: Int
        var text: String
    }

    /// Shorter texts lie within `String` itself.
    static var shortest: Int { 16 }
    private static var slotCount: Int { 1024 }
    /// Hits count twice, misses once; a rule below has lost.
    private static var worst: Int16 { -64 }
    private static var best: Int16 { 64 }

    private var slots: Ref<Slot>?
    private var scores: Ref<Int16>?
    private let ruleCount: Int

    /// - Parameter size: Bytes of the whole text; a short one is not worth the memory.
    init(ruleCount: Int, size: Int) {
        self.ruleCount = ruleCount
        guard size >= 1 << 17 else { return }
        scores = .allocate(capacity: ruleCount)
        scores?.initialize(repeating: 0, count: ruleCount)
    }

    deinit {
        slots?.deinitialize(count: TextCache.slotCount)
        slots?.deallocate()
        scores?.deallocate()
    }

    @inline(__always) func isWorthwhile(for rule: Int32) -> Bool {
        guard let scores, rule >= 0 else { return false }
        return scores[Int(rule)] > TextCache.worst
    }

    /// The text of bytes that were validated.
    @inline(never) mutating func text(_ start: Bytes, _ count: Int, isASCII: Bool, rule: Int32) -> String {
        let slot = self.slot(for: start, count)
        guard let scores else { return makeValidString(start, count, isASCII: isASCII) }
        if slot.pointee.count == count, slot.pointee.start.isSame(as: start, count) {
            scores[Int(rule)] = min(TextCache.best, scores[Int(rule)] + 2)
            return slot.pointee.text
        }
        scores[Int(rule)] -= 1
        let text = makeValidString(start, count, isASCII: isASCII)
        slot.pointee = Slot(start: start, count: count, text: text)
        return text
    }

    private mutating func slot(for start: Bytes, _ count: Int) -> Ref<Slot> {
        let place = Int(truncatingIfNeeded: KeyTable.hash(start, count)) & (TextCache.slotCount - 1)
        if let slots { return slots + place }
        let new = Ref<Slot>.allocate(capacity: TextCache.slotCount)
        new.initialize(repeating: Slot(start: start, count: 0, text: ""), count: TextCache.slotCount)
        slots = new
        return new + place
    }
}
