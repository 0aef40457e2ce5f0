/// The running server: the state that its threads share.
final class ServerCore: Sendable {
    let port: UInt16
    let state: Monitor<ServerState>
    let memory = Monitor(EndpointMemory())
    let handler: LoopbackServer.Handler?
    private let listener: Int32
    private let wakeEnds: (read: Int32, write: Int32)
    private let end: ContinuousClock.Instant
    private let threadEnded = Signal()

    init(address: String, lifetime: Duration, recordLimit: Int, handler: LoopbackServer.Handler?) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SystemError("pipe") }
        for descriptor in ends { prepare(descriptor, isBlocking: false) }
        do {
            (listener, port) = try listen(on: address)
        } catch {
            for descriptor in ends { closeDescriptor(descriptor) }
            throw error
        }
        wakeEnds = (ends[0], ends[1])
        end = .now + lifetime
        state = Monitor(ServerState(recordLimit: recordLimit))
        self.handler = handler
    }

    /// Starts the thread that accepts connections.
    func start() throws {
        state.withLock { state in
            state.threads = 1
            state.isAccepting = true
        }
        guard startThread({ self.acceptConnections() }) else {
            let error = SystemError("pthread_create")
            closeListener()
            state.withLock { $0.threads = 0 }
            throw error
        }
    }

    /// Changes the state and wakes threads that wait for the change.
    func update<Result>(_ change: (inout ServerState) -> Result) -> Result {
        let (result, satisfied) = state.withLock { (change(&$0), $0.takeSatisfiedWaiters()) }
        for waiter in satisfied { waiter.continuation.resume() }
        return result
    }

    /// Ends all connections and accepts no new one; returns immediately.
    func shutDownAll() {
        let waiters = state.withLock { state in
            state.isStopped = true
            for connection in state.connections.values {
                shutDown(connection.socket)
                connection.signal.notify()
            }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(throwing: LoopbackServerError.stopped) }
        wakeAcceptor()
    }

    /// Waits until all threads of the server have ended, except for a handler that never returns.
    func waitForThreads(atMost limit: Duration) {
        _ = state.wait(for: threadEnded, until: .now + limit) { $0.threads == 0 ? true : nil }
    }

    /// Adds a waiter, unless its condition is true already.
    func add(_ waiter: ServerState.Waiter) {
        let outcome: Result<Void, any Error>? = state.withLock { state in
            if waiter.condition(state.statistics, state.records) { return .success(()) }
            if state.isStopped { return .failure(LoopbackServerError.stopped) }
            state.waiters.append(waiter)
            return nil
        }
        if let outcome { waiter.continuation.resume(with: outcome) } else { wakeAcceptor() }
    }

    /// Holds a request until it is released, the time is over, or the client disconnects.
    func hold(_ connection: Int, _ hold: ServerState.Hold, until deadline: ContinuousClock.Instant?) throws {
        guard let signal = state.withLock({ $0.connections[connection]?.signal }) else { throw ConnectionEnd.over }
        state.withLock { $0.connections[connection]?.hold = hold }
        defer { state.withLock { $0.connections[connection]?.hold = nil } }
        wakeAcceptor()
        let mayGoOn = state.wait(for: signal, until: deadline) { state -> Bool? in
            guard !state.isStopped, let hold = state.connections[connection]?.hold, !hold.hasPeerLeft else {
                return false
            }
            return state.isReleased(hold) ? true : nil
        }
        if mayGoOn == false { throw ConnectionEnd.over }
    }

    /// Releases held requests that have arrived until now by their key; the empty key is that of all requests.
    func release(_ key: String) {
        state.withLock { state in
            state.released[key] = state.statistics.requests
            for connection in state.connections.values where connection.hold != nil { connection.signal.notify() }
        }
    }

    /// Closes a connection; afterwards no thread has its descriptor.
    func close(_ connection: Int, _ socket: Int32, withReset: Bool = false) {
        state.withLock { $0.connections[connection] = nil }
        if withReset {
            closeWithReset(socket)
        } else {
            shutDown(socket)
            closeDescriptor(socket)
        }
        update { $0.statistics.openConnections -= 1 }
    }

    /// The last call of every thread.
    func endThread() {
        state.withLock { $0.threads -= 1 }
        threadEnded.notify()
    }

    private func acceptConnections() {
        while let watched = state.withLock({ $0.isStopped ? nil : $0.connections.filter { $0.value.hold != nil } }) {
            var polled = [
                pollfd(fd: wakeEnds.read, events: Int16(POLLIN), revents: 0),
                pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
            ]
            polled += watched.values.map { pollfd(fd: $0.socket, events: peerLeftEvent, revents: 0) }
            poll(&polled, nfds_t(polled.count), nextPause)
            if polled[0].revents != 0 { emptyWakePipe() }
            for (number, entry) in zip(watched.keys, polled.dropFirst(2)) where entry.revents != 0 {
                state.withLock { state in
                    state.connections[number]?.hold?.hasPeerLeft = true
                    state.connections[number]?.signal.notify()
                }
            }
            expireWaiters()
            if ContinuousClock.now >= end { shutDownAll() }
            if polled[1].revents != 0 { openWaitingConnections() }
        }
        closeListener()
        endThread()
    }

    /// The time until the next task, in milliseconds.
    private var nextPause: Int32 {
        let deadline = state.withLock { $0.waiters.reduce(end) { min($0, $1.deadline) } }
        let milliseconds = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
        return Int32(max(0, min(60_000, milliseconds.rounded(.up))))
    }

    private func openWaitingConnections() {
        var count = 0
        while let socket = acceptConnection(of: listener) {
            open(socket)
            count += 1
        }
        // No descriptor is left: the connection stays in the queue, and the acceptor waits to avoid a busy loop.
        if count == 0 { poll(nil, 0, 10) }
    }

    private func open(_ socket: Int32) {
        let number: Int? = update { state in
            guard !state.isStopped else { return nil }
            state.threads += 1
            state.statistics.connections += 1
            state.statistics.openConnections += 1
            state.connections[state.statistics.connections] = ServerState.Connection(socket: socket, signal: Signal())
            return state.statistics.connections
        }
        guard let number else {
            closeDescriptor(socket)
            return
        }
        if !startThread({ Connection(socket, number: number, of: self).run() }) {
            close(number, socket)
            endThread()
        }
    }

    private func expireWaiters() {
        let now = ContinuousClock.now
        let expired = state.withLock { state in
            defer { state.waiters.removeAll { $0.deadline <= now } }
            return state.waiters.filter { $0.deadline <= now }
        }
        for waiter in expired { waiter.continuation.resume(throwing: LoopbackServerError.timeout) }
    }

    private func wakeAcceptor() {
        var byte: UInt8 = 0
        // A full pipe wakes the thread, too.
        state.withLock { state in
            if state.isAccepting { _ = write(wakeEnds.write, &byte, 1) }
        }
    }

    private func emptyWakePipe() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(wakeEnds.read, &bytes, bytes.count) == bytes.count {}
    }

    private func closeListener() {
        state.withLock { $0.isAccepting = false }
        shutDown(listener)
        for descriptor in [listener, wakeEnds.read, wakeEnds.write] { closeDescriptor(descriptor) }
    }
}
