import Dispatch
import Synchronization

/// A body that is read from a file on a thread of its own: a slow disk delays no other request.
///
/// `@unchecked`: the reader is used by the serial queue alone; the state has a lock.
package final class FileStream: BodyStream, @unchecked Sendable {
    private struct State {
        /// What is being handed out, from an offset on.
        var chunk = Data()
        var offset = 0
        /// What was read after it; empty at the end.
        var next: Result<Data, RequestError>?
        var isReading = false
        /// Whether the next thing to read is the end, which is checked when all bytes are handed out, and not before.
        var isWhole = false
        var isAtEnd = false
        var resume: (@Sendable () -> Void)?

        /// Whether the caller has to begin a read.
        mutating func beginReading() -> Bool {
            guard !isReading, next == nil, !isAtEnd else { return false }
            isReading = true
            return true
        }
    }

    private let reader: FileReader
    private let queue = DispatchQueue(label: "RequestQueue.FileStream")
    private let state = Mutex(State())
    private static let chunkSize: Int64 = 128 << 10

    package init(_ file: FileIdentity) { reader = FileReader(file) }

    package func read(into buffer: inout MutableRawSpan) throws -> BodyRead {
        let (read, mustRead) = try state.withLock { state throws(RequestError) -> (BodyRead, Bool) in
            if state.offset == state.chunk.count, let next = state.next {
                state.next = nil
                (state.chunk, state.offset) = (try next.get(), 0)
                state.isAtEnd = state.chunk.isEmpty
            }
            if state.isAtEnd { return (.end, false) }
            let count = min(buffer.byteCount, state.chunk.count - state.offset)
            guard count > 0 else { return (.wait, state.beginReading()) }
            buffer.copy(state.chunk.bytes.extracting(state.offset..<state.offset + count))
            state.offset += count
            return (.bytes(count), !state.isWhole && state.beginReading())
        }
        if mustRead { queue.async { self.readChunk() } }
        return read
    }

    package func whenReadable(_ resume: @escaping @Sendable () -> Void) {
        let isReadable = state.withLock { state in
            guard state.isReading else { return true }
            state.resume = resume
            return false
        }
        if isReadable { resume() }
    }

    private func readChunk() {
        let next = Result { () throws(RequestError) in
            var chunk = Data(count: Int(min(max(reader.bytesLeft, 1), Self.chunkSize)))
            var buffer = chunk.mutableBytes
            let count = try reader.read(into: &buffer)
            return count < chunk.count ? chunk.prefix(count) : chunk
        }
        let resume = state.withLock { state in
            (state.next, state.isReading, state.isWhole) = (next, false, reader.bytesLeft == 0)
            return state.resume.take()
        }
        resume?()
    }
}
