/// The parameters of an iteration of a stream.
struct StreamConfiguration<Model> {
    let mapping: Mapping<Model>
    let source: StreamSource
    let keyPath: JSONKeyPath
    let shape: ElementShape
    var dataSource: (any MappingDataSource)?
    let options: MappingOptions
    /// Receives the elements with issues; `nil` if the first one ends the stream.
    let rejecting: ((RejectedElement) throws -> Void)?
    /// The number of bytes in memory, if all elements fit.
    var windowSize = 256 << 10
}

/// The source of a stream's text.
enum StreamSource {
    /// Read when more of the text is needed.
    case bytes(() throws -> any ByteSource)
    /// Awaited when more of the text is needed.
    case chunks(() -> ChunkSource)

    static func file(_ url: URL) -> StreamSource { .bytes { try FileByteSource(url) } }
}

extension URL {
    /// The arrangement of elements in a file with this name.
    package var shape: ElementShape { ["ndjson", "jsonl"].contains(pathExtension.lowercased()) ? .line : .element }
}

/// One iteration of a stream: opens its source when the first element is requested, and closes it after the last one.
final class StreamRun<Model> {
    private let configuration: StreamConfiguration<Model>
    // Exclusivity unchecked: an iteration is one task's and no access outlasts a call; the checks cost every element.
    @safe @exclusivity(unchecked) private var reader: ElementReader?
    private var chunks: ChunkSource?
    @safe @exclusivity(unchecked) private var log: DecodeLog?
    @safe @exclusivity(unchecked) private var isOver = false

    init(_ configuration: StreamConfiguration<Model>) { self.configuration = configuration }

    /// Returns the next model of a synchronous source; `nil` at the end and after an error.
    func next() throws -> Model? {
        do {
            if reader == nil, !isOver { try start(open()) }
            return try take()
        } catch {
            throw failed(error)
        }
    }

    /// Returns the next model if it is already in memory.
    func ready() throws -> Model? {
        do {
            if reader != nil { try Task.checkCancellation() }
            return try take()
        } catch {
            throw failed(error)
        }
    }

    /// Waits for the next model; returns `nil` at the end of a valid text and after an error.
    func next(isolation actor: isolated (any Actor)?) async throws -> Model? {
        do {
            while !isOver {
                if reader == nil {
                    try Task.checkCancellation()
                    let window = try open()
                    try await fillBeginning(of: window, isolation: actor)
                    try start(window)
                } else {
                    try await fill(isolation: actor)
                }
                if let model = try take() { return model }
            }
            return nil
        } catch {
            throw failed(error)
        }
    }

    /// Opens the source.
    private func open() throws -> Window {
        log = DecodeLog(Model.self, configuration.options.eventHandler)
        let limit = configuration.options.limits.elementByteCount
        switch configuration.source {
        case .bytes(let open):
            return try Window(source: open(), capacity: configuration.windowSize, elementLimit: limit)
        case .chunks(let open):
            chunks = open()
            return Window(capacity: configuration.windowSize, elementLimit: limit)
        }
    }

    private func start(_ window: Window) throws(MappingError) {
        let run = try configuration.mapping.run(configuration.dataSource, configuration.options)
        // Only the element is in memory. Each line is a separate document.
        let hasParents = !configuration.keyPath.components.isEmpty
        guard configuration.shape == .line || !(run.plan.readsRoot || hasParents && run.objects.readsParents) else {
            throw MappingError(
                .mapping(
                    "a mapping without sources outside of an element, for a stream",
                    "the source \(run.plan.readsRoot ? ".root" : ".parent")"))
        }
        reader = try ElementReader(
            run, ElementType(Model.self), window: window, at: configuration.keyPath, each: configuration.shape,
            isShared: configuration.dataSource != nil)
    }

    /// Returns the next model of the text in memory; `nil` if more text is needed, and at the end.
    private func take() throws -> Model? {
        while let reader {
            switch try reader.step() {
            case .made:
                log?.made()
                return reader.take(Model.self)
            case .rejected(let element):
                // An error in the mapping is not an issue of the element.
                guard let rejecting = configuration.rejecting, !element.issues.contains(where: { $0.kind == .mapping })
                else { throw MappingError(element.issues) }
                log?.found(element.issues)
                log?.rejected(element)
                try rejecting(element)
                try Task.checkCancellation()
            case .needsText: return nil
            case .end:
                log?.ended()
                close()
            }
        }
        return nil
    }

    /// Ends the iteration, and returns its error.
    private func failed(_ error: any Error) -> any Error {
        log?.failed(error)
        close()
        return error
    }

    private func close() {
        isOver = true
        reader = nil
        chunks = nil
    }

    // MARK: Chunks

    /// Waits for the first bytes of a text in chunks.
    private func fillBeginning(of window: Window, isolation actor: isolated (any Actor)?) async throws {
        guard let chunks else { return }
        while !window.hasBeginning {
            var start = window.start
            guard try await chunks.wait(isolation: actor) else {
                window.finish()
                break
            }
            try chunks.take { try window.append($0, keeping: &start) }
        }
        window.skipByteOrderMark()
    }

    /// Waits for more text, or for its end.
    private func fill(isolation actor: isolated (any Actor)?) async throws {
        guard let reader, let chunks else { return }
        if try await chunks.wait(isolation: actor) {
            try chunks.take { try reader.append($0) }
        } else {
            reader.finish()
        }
    }
}
