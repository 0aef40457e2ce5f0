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

    /// Models on their way to the array of all; whoever moves them there frees the memory.
    struct Landing: @unchecked Sendable {  // guarded by being handed to the one thread that moves them
        let models: Memory
        let count: Int
        /// How many models stand before them.
        let position: Int
    }

    /// The models; nil once they have moved.
    var models: Memory?
    var count: Int
    /// What was found, by the policy `.fail`.
    var findings: FindingList
    /// By the other policies.
    var remarks: [Remark]
    var end: End

    /// Takes the models down.
    func discard(_ type: ElementType) {
        guard let models else { return }
        type.destroy(models, count)
        models.deallocate()
    }
}
