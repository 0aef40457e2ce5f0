/// One iteration of a stream: opens its source when the first element is asked for, closes it behind the last one.
final class StreamRun<Model> {
    private let recipe: StreamRecipe<Model>
    private let rejecting: ((RejectedElement) throws -> Void)?
    private var reader: ElementReader<Model>?
    private var chunks: ChunkSource?
    private var isOver = false

    init(_ recipe: StreamRecipe<Model>, rejecting: ((RejectedElement) throws -> Void)?) {
        self.recipe = recipe
        self.rejecting = rejecting
    }

    /// The next model; nil at the end of a sound text, and ever after an error.
    func next(isolation actor: isolated (any Actor)?) async throws -> Model? {
        if isOver { return nil }
        do {
            try Task.checkCancellation()
            if reader == nil { try await open(isolation: actor) }
            while let reader {
                switch try reader.step() {
                case .model(let model): return model
                case .rejected(let element):
                    guard let rejecting else { throw MappingError(element.issues) }
                    try rejecting(element)
                    try Task.checkCancellation()
                case .starved:
                    var isWorthATry = false
                    while !isWorthATry {
                        let isFed = try await feed(isolation: actor) { bytes in
                            let (count, isEnough) = try reader.append(bytes)
                            isWorthATry = isEnough
                            return count
                        }
                        if !isFed {
                            reader.finish()
                            isWorthATry = true
                        }
                    }
                case .end:
                    close()
                }
            }
            return nil
        } catch {
            close()
            throw error
        }
    }

    private func open(isolation actor: isolated (any Actor)?) async throws {
        let window: Window
        switch recipe.source {
        case .bytes(let open):
            window = try Window(
                source: open(), capacity: recipe.windowSize, largestCapacity: recipe.largestWindow)
        case .chunks(let open):
            chunks = open()
            window = Window(capacity: recipe.windowSize, largestCapacity: recipe.largestWindow)
            while !window.knowsBeginning {
                var start = window.start
                let isFed = try await feed(isolation: actor) { try window.append($0, keeping: &start) }
                if !isFed { window.finish() }
            }
            window.skipByteOrderMark()
        }
        reader = try recipe.reader(window)
    }

    /// Has a closure take what it can of the chunk at hand, or of the next one; false if there is none.
    private func feed(
        isolation actor: isolated (any Actor)?, _ take: (UnsafeRawBufferPointer) throws -> Int
    ) async throws -> Bool {
        guard let chunks else { return false }
        if chunks.isEmpty {
            let isFed = try await chunks.advance(isolation: actor)
            // Many a sequence ends when its task is cancelled: that is not the end of the text.
            try Task.checkCancellation()
            guard isFed else { return false }
        }
        try chunks.take(take)
        return true
    }

    private func close() {
        isOver = true
        reader = nil
        chunks = nil
    }
}
