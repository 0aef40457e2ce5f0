/// The chunks to be read, and the order of those that were read.
final class ChunkQueue: @unchecked Sendable {  // guarded by `access`; results are read after all threads end
    // Not a `Mutex`: the thread sanitizer does not support it if a thread has to wait.
    private let access = DispatchQueue(label: "ObjectMapping.ChunkQueue")
    private var chunks: [ElementChunk?]
    /// The consecutive chunks from the first one on: each starts at the end of its predecessor.
    private var confirmed: [Int] = []
    private var next = 0
    /// The chunk that starts at the end of the last confirmed one.
    private var expected: Int? = 0
    private var hasFailed = false
    private var elementCount = 0
    private let elementLimit: Int
    /// The number of models that were moved to the array of all models, or are about to.
    private(set) var movedCount = 0
    private let room: Int
    private var hasRoom = true

    /// - Parameter room: The capacity of the array of all models.
    init(count: Int, elementLimit: Int, room: Int) {
        chunks = Array(repeating: nil, count: count)
        self.elementLimit = elementLimit
        self.room = room
    }

    /// All chunks in the order of the text, after all were read; `nil` if one thread has to read the text.
    var result: [ElementChunk]? { hasFailed ? nil : confirmed.compactMap { chunks[$0] } }

    /// Returns the next chunk to read; `nil` if none is left or needed.
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

    /// Adds a chunk that was read; returns the models whose position in the array of all models is known now.
    ///
    /// They are moved while they are in the processor's cache, and their memory is reused for the next chunks.
    func finish(_ number: Int, _ chunk: ElementChunk) -> [(models: ModelBlock, position: Int)] {
        access.sync {
            chunks[number] = chunk
            let first = confirmed.count
            confirm()
            return hasFailed ? [] : confirmed[first...].compactMap { place($0) }
        }
    }

    /// Returns the models of a chunk and their position in the array of all models; `nil` if they exceed its capacity.
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
                // The next element would exceed the limit.
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

/// The result of reading from one start to another with one thread.
struct ElementChunk: @unchecked Sendable {  // passed once, from the thread that created it to the caller
    enum End {
        /// At the start of another chunk, with the progress in between.
        case start(Int, ElementCursor.Progress)
        /// At the end of the text, with the progress before it.
        case text(ElementCursor.Progress)
        /// At invalid text, at a limit, or after a wrong guess of the start.
        case failure
    }

    /// An element, or an invalid line, to which the policy is applied in the order of the text.
    struct Remark {
        /// At the element.
        var cursor: ElementCursor
        var end: Bytes?
        var findings: FindingList
        var isMade: Bool
        var isBrokenLine: Bool
    }

    /// `nil` after they were moved to the array of all models.
    var models: ModelBlock?
    /// The findings with the policy `.fail`.
    var findings: FindingList
    /// The findings with other policies.
    var remarks: [Remark]
    var end: End
}
