/// Strings that one decode created from bytes that do not move: equal bytes share a string.
///
/// A rule whose texts rarely repeat is skipped after some tries, so that unique names cost nothing and repeated titles
/// are created once.
struct TextCache: ~Copyable {
    private struct Slot {
        var start: Bytes
        var count: Int
        var text: String
    }

    /// Shorter texts are stored inline in `String`.
    static var shortest: Int { 16 }
    private static var slotCount: Int { 1024 }
    /// The score below which a rule is skipped; hits count twice, misses once.
    private static var worst: Int16 { -64 }
    private static var best: Int16 { 64 }

    private var slots: Ref<Slot>?
    private var scores: Ref<Int16>?
    private let ruleCount: Int

    /// - Parameter size: The length of the whole text in bytes; the cache is not used for a short text.
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

    /// Returns the string for bytes that were validated.
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
