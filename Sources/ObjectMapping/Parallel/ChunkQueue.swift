/// Which chunks are still to be read, and which of those that were read belong to each other.
final class ChunkQueue: @unchecked Sendable {  // guarded by `access`, but for what is read once all threads are done
    // No Mutex: the thread sanitizer does not see what that orders where a thread has to wait for it.
    private let access = DispatchQueue(label: "ObjectMapping.ChunkQueue")
    private(set) var chunks: [ElementChunk?]
    /// The chunks that follow each other from the first one on: each begins where the one before it ended.
    private(set) var proven: [Int] = []
    private var next = 0
    /// The chunk that goes on where the last proven one ended.
    private var expected: Int? = 0
    private(set) var hasFailed = false
    private var elementCount = 0
    private let elementLimit: Int
    /// How many models have moved to the array of all, or are just about to; the first ones.
    private(set) var landedCount = 0
    private let room: Int
    private var hasRoom = true

    /// - Parameter room: How many models the array of all has room for.
    init(count: Int, elementLimit: Int, room: Int) {
        chunks = Array(repeating: nil, count: count)
        self.elementLimit = elementLimit
        self.room = room
    }

    /// The chunk that is to be read next; nil once there is none, or no use in it.
    func take() -> Int? {
        access.sync {
            guard let expected, !hasFailed else { return nil }
            // What lies before the expected one was read by another thread all the same: the start was none.
            next = max(next, expected)
            guard next < chunks.count else { return nil }
            defer { next += 1 }
            return next
        }
    }

    /// Takes a chunk that was read; the models for which it is known now how many stand before them.
    ///
    /// They move while they are still in the processor's cache, and their memory is free for the chunks to come.
    func finish(_ number: Int, _ chunk: ElementChunk) -> [ElementChunk.Landing] {
        access.sync {
            chunks[number] = chunk
            let first = proven.count
            prove()
            return hasFailed ? [] : proven[first...].compactMap { land($0) }
        }
    }

    /// nil where the array has no room left for the models, nor for those behind them.
    private func land(_ number: Int) -> ElementChunk.Landing? {
        guard hasRoom, let chunk = chunks[number], let models = chunk.models else { return nil }
        hasRoom = chunk.count <= room - landedCount
        guard hasRoom else { return nil }
        chunks[number]?.models = nil
        defer { landedCount += chunk.count }
        return ElementChunk.Landing(models: models, count: chunk.count, position: landedCount)
    }

    private func prove() {
        while let known = expected, let chunk = chunks[known], !hasFailed {
            proven.append(known)
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
