/// What one thread made of the elements from one start to another.
struct ElementChunk: @unchecked Sendable {  // guarded by being handed from the thread that made it to the caller's
    enum End {
        /// At the start of another chunk, with so many elements in between.
        case start(Int, ElementCursor.Progress)
        /// At the end of the text, with so many elements before it, less one.
        case text(ElementCursor.Progress)
        /// The text is broken here, or beyond a limit, or the start was none.
        case failure
    }

    /// An element, or a broken line, that the policy has to judge in its turn.
    struct Remark {
        var cursor: ElementCursor
        var place: Bytes
        var end: Bytes?
        var findings: FindingList
        var isMade: Bool
        var isBrokenLine = false
    }

    /// The models; whoever takes them frees the memory.
    var models: Memory
    var count: Int
    /// What was found, by the policy `.fail`.
    var findings: FindingList
    /// By the other policies.
    var remarks: [Remark]
    var end: End

    /// Takes the models down.
    func discard(_ type: ElementType) {
        type.destroy(models, count)
        models.deallocate()
    }
}
