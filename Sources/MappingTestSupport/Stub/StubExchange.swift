import Dispatch
import RequestQueue
import Synchronization

/// A request of a transport without a network, from its start to its end.
///
/// Unchecked: mutable state is accessed on the serial queue only.
final class StubExchange: TransportTask, @unchecked Sendable {
    /// The plan for a request: how much of its body is read, and which response is returned.
    struct Plan: Sendable {
        var bodyLimit = Int.max
        var answer: @Sendable (Data) -> StubResponse
    }

    private enum Stage {
        case taking(any BodyStream, limit: Int)
        case answering(StubResponse)
    }

    private let request: TransportRequest
    private let queue: DispatchQueue
    private let handler: any TransportHandler
    /// Returns the plan; an error fails the request before it is sent.
    private let plan: @Sendable () throws -> Plan
    private let isCancelled = Atomic(false)

    /// `nil` before the start and after the end.
    private var stage: Stage?
    /// Returns the response after the body was read.
    private var answer: @Sendable (Data) -> StubResponse = { _ in StubResponse() }
    private var body = Data()
    /// The number of waits, so that a second call of the same resume function is ignored.
    private var waits = 0
    private var isPaused = false
    private var isHeadSent = false
    private var isGatePassed = false
    /// The number of bytes of the response body that were delivered.
    private var position = 0

    init(
        _ request: TransportRequest, on queue: DispatchQueue, handler: any TransportHandler,
        plan: @escaping @Sendable () throws -> Plan
    ) {
        self.request = request
        self.queue = queue
        self.handler = handler
        self.plan = plan
    }

    func start() { queue.async { self.begin() } }

    func cancel() {
        isCancelled.store(true, ordering: .relaxed)
        queue.async { self.advance() }
    }

    func resume() {
        queue.async {
            guard self.isPaused else { return }
            self.isPaused = false
            self.advance()
        }
    }

    private func begin() {
        do {
            let plan = try plan()
            answer = plan.answer
            handler.transportDidConnect()
            let stream = try request.body?.opened()
            stage = stream.map { .taking($0, limit: plan.bodyLimit) } ?? .answering(answer(body))
        } catch {
            return end(TransportFailure(error))
        }
        advance()
    }

    /// Continues until it has to wait.
    private func advance() {
        do {
            while let stage {
                if isCancelled.load(ordering: .relaxed) { throw TransportFailure.cancelled }
                if isPaused { return }
                switch stage {
                case .taking(let stream, let limit): if try !take(stream, limit) { return }
                case .answering(let response): if try !deliver(response) { return }
                }
            }
        } catch {
            end(TransportFailure(error))
        }
    }

    /// Reads a piece of the request body.
    ///
    /// - Returns: Whether it can continue immediately.
    private func take(_ stream: any BodyStream, _ limit: Int) throws -> Bool {
        let room = min(64 << 10, limit - body.count)
        guard room > 0 else {
            stage = .answering(answer(body))
            return true
        }
        var piece = [UInt8](repeating: 0, count: room)
        switch try piece.withMutableRawSpan({ try stream.read(into: &$0) }) {
        case .bytes(let count):
            body += piece.prefix(count)
            handler.transportDidSend(Int64(body.count))
            return true
        case .end:
            stage = .answering(answer(body))
            return true
        case .wait:
            wait { stream.whenReadable($0) }
            return false
        }
    }

    /// Delivers a piece of the response.
    ///
    /// - Returns: Whether it can continue immediately.
    private func deliver(_ response: StubResponse) throws -> Bool {
        let end = request.method == .head ? 0 : response.body.count
        let gate = isGatePassed ? nil : response.gate
        let stop = gate.map { _ in min(end, response.bytesBeforeGate ?? 0) } ?? end
        if let gate, position == stop, isHeadSent || response.bytesBeforeGate == nil {
            isGatePassed = true
            wait { gate.pass($0) }
            return false
        }
        if let head = response.head, !isHeadSent {
            isHeadSent = true
            handler.transportDidReceive(head)
            return true
        }
        if let failure = response.failure, position >= min(end, response.bytesBeforeFailure) { throw failure }
        guard position < end else {
            self.end(nil)
            return false
        }
        let next = min(stop, response.bytesBeforeFailure, position + min(response.chunkSize, end - position))
        let piece = response.body.dropFirst(position).prefix(next - position)
        position = next
        isPaused = !handler.transportDidReceive(piece.bytes)
        return true
    }

    /// Waits until the function passed to `arm` is called.
    private func wait(_ arm: (@escaping @Sendable () -> Void) -> Void) {
        waits += 1
        let number = waits
        arm {
            self.queue.async {
                guard self.waits == number else { return }
                self.waits += 1
                self.advance()
            }
        }
    }

    private func end(_ failure: TransportFailure?) {
        stage = nil
        handler.transportDidFinish(failure)
    }
}

extension TransportFailure {
    /// Creates the failure for an error of the body or the route.
    fileprivate init(_ error: any Error) {
        switch error {
        case let failure as TransportFailure: self = failure
        case let error as RequestError: self.init(error.kind, error.cause)
        default: self.init(.bodyUnreadable, "\(error)")
        }
    }
}
