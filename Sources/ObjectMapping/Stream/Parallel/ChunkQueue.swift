/// Which chunks are still to be read, and which of those that were read belong to each other.
final class ChunkQueue: @unchecked Sendable {  // guarded by `access`, but for what is read once all threads are done
    // No Mutex: the thread sanitizer does not see what that orders where a thread has to wait for it.
    private let access = DispatchQueue(label: "ObjectMapping.ChunkQueue")
    private var chunks: [ElementChunk?]
    /// The chunks that follow each other from the first one on: each begins where the one before it ended.
    private var confirmed: [Int] = []
    private var next = 0
    /// The chunk that begins where the last confirmed one ended.
    private var expected: Int? = 0
    private var hasFailed = false
    private var elementCount = 0
    private let elementLimit: Int
    /// How many of the first models have moved to the array of all, or are about to.
    private(set) var movedCount = 0
    private let room: Int
    private var hasRoom = true

    /// - Parameter room: How many models the array of all has room for.
    init(count: Int, elementLimit: Int, room: Int) {
        chunks = Array(repeating: nil, count: count)
        self.elementLimit = elementLimit
        self.room = room
    }

    /// All chunks in the order of the text, once all are read; nil if one thread has to read the text.
    var result: [ElementChunk]? { hasFailed ? nil : confirmed.compactMap { chunks[$0] } }

    /// The next chunk to read; nil if none is left or needed.
    func take() -> Int? {
        access.sync {
            guard let expected, !hasFailed else { return nil }
            // Another thread has read the bytes before the expected chunk: their start was a wrong guess.
            next = max(next, expected)
            guard next < chunks.count else { return nil }
            defer { next += 1 }
            return next
        }
    }

    /// Adds a chunk that was read; returns the models whose position in the array of all is known now.
    ///
    /// They move while they are still in the processor's cache, and their memory is free for the next chunks.
    func finish(_ number: Int, _ chunk: ElementChunk) -> [(models: ModelBlock, position: Int)] {
        access.sync {
            chunks[number] = chunk
            let first = confirmed.count
            confirm()
            return hasFailed ? [] : confirmed[first...].compactMap { place($0) }
        }
    }

    /// The models of a chunk and their position in the array of all; nil if the array has no room for them.
    private func place(_ number: Int) -> (models: ModelBlock, position: Int)? {
        guard hasRoom, let models = chunks[number]?.models else { return nil }
        hasRoom = models.count <= room - movedCount
        guard hasRoom else { return nil }
        chunks[number]?.models = nil
        defer { movedCount += models.count }
        return (models, movedCount)
    }

    private func confirm() {
        while let known = expected, let chunk = chunks[known], !hasFailed {
            confirmed.append(known)
            switch chunk.end {
            case .start(let following, let progress):
                elementCount += progress.index
                expected = following
                // The element there is one of those, too.
                hasFailed = elementCount >= elementLimit
            case .text(let progress):
                elementCount += progress.index + 1
                expected = nil
                hasFailed = elementCount > elementLimit
            case .failure: hasFailed = true
            }
        }
    }
}

/// The result of one thread's reading from one start to another.
struct ElementChunk: @unchecked Sendable {  // guarded by being handed from the thread that made it to the caller's
    enum End {
        /// At the start of another chunk, with the progress in between.
        case start(Int, ElementCursor.Progress)
        /// At the end of the text, with the progress before it.
        case text(ElementCursor.Progress)
        /// The text is broken or exceeds a limit here, or the start was a wrong guess.
        case failure
    }

    /// An element, or a broken line, that the policy is applied to in the order of the text.
    struct Remark {
        /// At the element.
        var cursor: ElementCursor
        var end: Bytes?
        var findings: FindingList
        var isMade: Bool
        var isBrokenLine: Bool
    }

    /// Nil once they have moved to the array of all.
    var models: ModelBlock?
    /// What was found, by the policy `.fail`.
    var findings: FindingList
    /// What was found, by the other policies.
    var remarks: [Remark]
    var end: End
}
