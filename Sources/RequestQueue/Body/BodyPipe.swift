/// A bounded buffer between the producer of a body, on another thread or in a task, and the transport that sends it.
package final class BodyPipe: Sendable {
    private struct State {
        var chunks: [Data] = []
        /// The number of bytes of the first chunk that were read.
        var offset = 0
        var count = 0
        var end: Result<Void, RequestError>?
        var resumeReader: (@Sendable () -> Void)?
        var resumeWriter: (@Sendable () -> Void)?
    }

    /// The number of buffered bytes at which the writer has to wait.
    private let capacity: Int
    private let state = Mutex(State())

    package init(capacity: Int = 256 << 10) { self.capacity = capacity }

    // MARK: The writer

    /// Whether it accepts bytes: it has not ended, and its reader has not closed it.
    package var isOpen: Bool { state.withLock { $0.end == nil } }

    /// Adds bytes, even beyond the capacity: a writer waits for capacity before it produces more.
    ///
    /// - Returns: `false` if the pipe has ended or was closed by its reader.
    package func write(_ chunk: Data) -> Bool {
        let (isOpen, resume) = state.withLock { state in
            guard state.end == nil else { return (false, nil as (@Sendable () -> Void)?) }
            guard !chunk.isEmpty else { return (true, nil) }
            state.chunks.append(chunk)
            state.count += chunk.count
            return (true, state.resumeReader.take())
        }
        resume?()
        return isOpen
    }

    /// Calls a function when there is capacity or the pipe has ended, immediately if that is already the case.
    package func whenWritable(_ resume: @escaping @Sendable () -> Void) {
        let isWritable = state.withLock { state in
            guard state.end == nil, state.count >= capacity else { return true }
            state.resumeWriter = resume
            return false
        }
        if isWritable { resume() }
    }

    /// Ends the body, with an error if it is incomplete; later calls are ignored.
    package func finish(_ failure: (any Error)? = nil) {
        // Outside the lock, because the description of an error can run code of the user.
        let end: Result<Void, RequestError> =
            switch failure {
            case nil: .success(())
            case let failure as RequestError: .failure(failure)
            case let failure?:
                .failure(
                    RequestError(
                        .bodyUnreadable, "the body stream failed: \(causeText(of: failure))", underlying: failure))
            }
        let resume = state.withLock { state in
            guard state.end == nil else { return nil as (@Sendable () -> Void)? }
            state.end = end
            return state.resumeReader.take()
        }
        resume?()
    }

    /// Writes what a function reads when there is capacity, until it returns 0 or the reader closes the pipe; blocks.
    func fill(chunkSize: Int, reading read: (inout MutableRawSpan) throws -> Int) {
        let room = DispatchSemaphore(value: 0)
        do {
            while true {
                whenWritable { room.signal() }
                room.wait()
                guard isOpen else { return }
                var chunk = Data(count: chunkSize)
                var buffer = chunk.mutableBytes
                let count = try read(&buffer)
                guard (0...chunkSize).contains(count) else {
                    throw RequestError(
                        .bodyUnreadable,
                        "the closure that reads the body returned \(count) bytes for a buffer of \(chunkSize)")
                }
                guard count > 0 else { return finish() }
                _ = write(chunk.prefix(count))
            }
        } catch { finish(error) }
    }

    // MARK: The reader

    package func read(into buffer: inout MutableRawSpan) throws -> BodyRead {
        let (read, resume) = try state.withLock { state throws(RequestError) in
            guard state.count > 0 else {
                guard let end = state.end else { return (BodyRead.wait, nil as (@Sendable () -> Void)?) }
                try end.get()
                return (.end, nil)
            }
            var filled = 0
            var finished = 0
            while filled < buffer.byteCount, finished < state.chunks.count {
                let chunk = state.chunks[finished]
                let count = min(buffer.byteCount - filled, chunk.count - state.offset)
                var rest = buffer._mutatingExtracting(droppingFirst: filled)
                rest.copy(chunk.bytes.extracting(state.offset..<state.offset + count))
                filled += count
                state.offset += count
                if state.offset == chunk.count {
                    state.offset = 0
                    finished += 1
                }
            }
            state.chunks.removeFirst(finished)
            state.count -= filled
            return (.bytes(filled), state.count < capacity ? state.resumeWriter.take() : nil)
        }
        resume?()
        return read
    }

    package func whenReadable(_ resume: @escaping @Sendable () -> Void) {
        let isReadable = state.withLock { state in
            guard state.count == 0, state.end == nil else { return true }
            state.resumeReader = resume
            return false
        }
        if isReadable { resume() }
    }

    /// Closes the reading end: discards buffered bytes and resumes the writer.
    package func abandon() {
        // Chunks and closures are released outside the lock, because their deinitializers can run user code.
        let (resume, _, _) = state.withLock { state in
            let chunks = state.chunks
            state.chunks = []
            state.count = 0
            state.end = state.end ?? .success(())
            return (state.resumeWriter.take(), state.resumeReader.take(), chunks)
        }
        resume?()
    }
}

/// A body that is produced while it is sent, by a task or by a thread that reads from a blocking source.
///
/// The producer starts at the first read and stops when the stream is released.
package final class PumpedStream: BodyStream {
    /// Starts writing to the pipe; returns a function that stops it early, before it finds the pipe closed.
    package typealias Pump = (BodyPipe) -> (@Sendable () -> Void)?

    private let pipe = BodyPipe()
    private var pump: Pump?
    private var stop: (@Sendable () -> Void)?

    package init(_ pump: @escaping Pump) { self.pump = pump }

    deinit {
        pipe.abandon()
        stop?()
    }

    package func read(into buffer: inout MutableRawSpan) throws -> BodyRead {
        if let pump {
            self.pump = nil
            stop = pump(pipe)
        }
        return try pipe.read(into: &buffer)
    }

    package func whenReadable(_ resume: @escaping @Sendable () -> Void) { pipe.whenReadable(resume) }
}
