package import RequestQueue
import Synchronization

/// A handler that records its calls, and lets tests wait for them.
package final class TransportRecorder: TransportHandler {
    package struct Record: Sendable {
        package var connections = 0
        package var sent: [Int64] = []
        /// The number of reads of the request's body that found no bytes.
        package var waits = 0
        /// The number of reported bytes of incomplete heads.
        package var signs = 0
        package var head: ResponseHead?
        package var body = Data()
        /// The number of pieces of the body.
        package var pieces = 0
        package var finishes = 0
        package var failure: TransportFailure?
        /// Calls after the end, or in the wrong order.
        package var mistakes: [String] = []

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    private struct State {
        var record = Record()
        var waiters: [(condition: @Sendable (Record) -> Bool, continuation: CheckedContinuation<Record, Never>)] = []
    }

    private let state = Mutex(State())
    /// Returns whether to continue after each piece, by the number of received bytes.
    private let mayGoOn: @Sendable (Int) -> Bool

    private let whenConnected: @Sendable () -> Void

    /// - Parameter whenConnected: A function that is called on the transport's thread before the request is sent.
    package init(
        mayGoOn: @escaping @Sendable (Int) -> Bool = { _ in true }, whenConnected: @escaping @Sendable () -> Void = {}
    ) {
        self.mayGoOn = mayGoOn
        self.whenConnected = whenConnected
    }

    package var record: Record { state.withLock { $0.record } }

    /// Waits until the record meets a condition.
    @discardableResult
    package func until(_ condition: @escaping @Sendable (Record) -> Bool) async -> Record {
        await withCheckedContinuation { continuation in
            let record: Record? = state.withLock { state in
                if condition(state.record) { return state.record }
                state.waiters.append((condition, continuation))
                return nil
            }
            if let record { continuation.resume(returning: record) }
        }
    }

    /// Waits for the end.
    @discardableResult
    package func finished() async -> Record { await until { $0.finishes > 0 } }

    /// Notes that a read of the request's body found no bytes.
    func noteWait() { note(nil) { $0.waits += 1 } }

    /// - Parameter name: The name of the transport's call; `nil` if it is not one.
    private func note(_ name: String?, _ change: (inout Record) -> Void) {
        let (record, ready) = state.withLock { state in
            if let name, state.record.finishes > 0 { state.record.mistakes.append("\(name) after the end") }
            change(&state.record)
            let record = state.record
            let ready = state.waiters.filter { $0.condition(record) }
            state.waiters.removeAll { $0.condition(record) }
            return (record, ready)
        }
        for waiter in ready { waiter.continuation.resume(returning: record) }
    }

    package func transportDidConnect() {
        note("connection") { $0.connections += 1 }
        whenConnected()
    }

    package func transportDidSend(_ bytes: Int64) { note("sent") { $0.sent.append(bytes) } }

    package func transportDidReceiveHeadBytes() { note("sign") { $0.signs += 1 } }

    package func transportDidReceive(_ head: ResponseHead) {
        note("head") {
            if $0.head != nil { $0.mistakes.append("a second head") }
            if $0.connections == 0 { $0.mistakes.append("a head without an earlier call of transportDidConnect()") }
            $0.head = head
        }
    }

    package func transportDidReceive(_ bytes: RawSpan) -> Bool {
        var count = 0
        note("body") {
            if $0.head == nil { $0.mistakes.append("a body before its head") }
            $0.body.append(bytes)
            $0.pieces += 1
            count = $0.body.count
        }
        return mayGoOn(count)
    }

    package func transportDidFinish(_ failure: TransportFailure?) {
        note("end") {
            $0.failure = failure
            $0.finishes += 1
        }
    }
}
