import Foundation
import RequestQueue
import Synchronization
import MappingSystemCalls

/// A body in pieces; at nil it waits until `goOn` is called.
final class PiecewiseBody: BodyStream, Sendable {
    struct Broken: Error, CustomStringConvertible { let description: String }

    private struct State {
        var pieces: [String?]
        var resume: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>
    private let error: (any Error)?

    init(_ pieces: [String?], thenThrowing error: (any Error)? = nil) {
        state = Mutex(State(pieces: pieces))
        self.error = error
    }

    func read(into buffer: inout MutableRawSpan) throws -> BodyRead {
        try state.withLock { state in
            guard let next = state.pieces.first else {
                if let error { throw error }
                return .end
            }
            guard let piece = next else { return .wait }
            let count = min(piece.utf8.count, buffer.byteCount)
            let rest = String(piece.utf8.dropFirst(count)) ?? ""
            if rest.isEmpty { state.pieces.removeFirst() } else { state.pieces[0] = rest }
            buffer.copy(Data(piece.utf8.prefix(count)).bytes)
            return .bytes(count)
        }
    }

    func whenReadable(_ resume: @escaping @Sendable () -> Void) { state.withLock { $0.resume = resume } }

    /// Whether the reader waits.
    var isAwaited: Bool { state.withLock { $0.resume != nil } }

    /// Ends the wait; notifies the reader twice, like an incorrect stream.
    func goOn() {
        let resume = state.withLock { state in
            if state.pieces.first == .some(nil) { state.pieces.removeFirst() }
            return state.resume
        }
        resume?()
        resume?()
    }
}

extension TransportRequest.Body {
    /// A body of text, by default of known length.
    init(_ text: String, isChunked: Bool = false) {
        self.init(length: isChunked ? nil : Int64(text.utf8.count)) { PiecewiseBody([text]) }
    }
}
