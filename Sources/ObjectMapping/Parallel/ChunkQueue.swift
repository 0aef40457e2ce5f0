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

    init(count: Int, elementLimit: Int) {
        chunks = Array(repeating: nil, count: count)
        self.elementLimit = elementLimit
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

    func finish(_ number: Int, _ chunk: ElementChunk) {
        access.sync {
            chunks[number] = chunk
            prove()
        }
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
