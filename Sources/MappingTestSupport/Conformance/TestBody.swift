package import RequestQueue
import Synchronization

/// A body stream with a function.
package final class TestBody: BodyStream {
    private var pull: (inout MutableRawSpan) throws -> BodyRead
    private let keep: (@escaping @Sendable () -> Void) -> Void

    package init(
        keep: @escaping (@escaping @Sendable () -> Void) -> Void = { $0() },
        _ pull: @escaping (inout MutableRawSpan) throws -> BodyRead
    ) {
        self.pull = pull
        self.keep = keep
    }

    package func read(into buffer: inout MutableRawSpan) throws -> BodyRead { try pull(&buffer) }

    package func whenReadable(_ resume: @escaping @Sendable () -> Void) { keep(resume) }

    /// A stream of bytes, in pieces of a maximum size.
    package static func of(_ bytes: [UInt8], pieces: Int = .max) -> TestBody {
        var rest = bytes[...]
        return TestBody { buffer in
            guard !rest.isEmpty else { return .end }
            let piece = rest.prefix(min(pieces, buffer.byteCount))
            Array(piece).withRawSpan { buffer.copy($0) }
            rest = rest.dropFirst(piece.count)
            return .bytes(piece.count)
        }
    }
}

extension TransportRequest.Body {
    /// A body of bytes, by default of declared length.
    package init(_ bytes: some Sequence<UInt8>, isLengthKnown: Bool = true, pieces: Int = .max) {
        let bytes = Array(bytes)
        self.init(length: isLengthKnown ? Int64(bytes.count) : nil) { TestBody.of(bytes, pieces: pieces) }
    }
}

/// A body to which another thread appends bytes.
package final class FedBody: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isEnded = false
        var resume: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let whenWaiting: @Sendable () -> Void

    /// Creates a body.
    ///
    /// - Parameter whenWaiting: A function that is called when a read finds no bytes. Defaults to none.
    package init(whenWaiting: @escaping @Sendable () -> Void = {}) { self.whenWaiting = whenWaiting }

    /// Appends bytes, or the end.
    package func give(_ text: String, isEnd: Bool = false) {
        let resume = state.withLock { state in
            state.bytes += text.utf8
            state.isEnded = isEnd
            defer { state.resume = nil }
            return state.resume
        }
        resume?()
    }

    /// Whether a read waits for bytes.
    package var isAwaited: Bool { state.withLock { $0.resume != nil } }

    package func body(length: Int64?) -> TransportRequest.Body {
        TransportRequest.Body(length: length) {
            TestBody(
                keep: { resume in
                    let isReady = self.state.withLock { state in
                        if !state.bytes.isEmpty || state.isEnded { return true }
                        state.resume = resume
                        return false
                    }
                    if isReady { resume() }
                },
                { buffer in
                    let read: BodyRead = self.state.withLock { state in
                        guard !state.bytes.isEmpty else { return state.isEnded ? .end : .wait }
                        let count = min(buffer.byteCount, state.bytes.count)
                        state.bytes.withRawSpan { buffer.copy($0.extracting(first: count)) }
                        state.bytes.removeFirst(count)
                        return .bytes(count)
                    }
                    if read == .wait { self.whenWaiting() }
                    return read
                })
        }
    }
}
