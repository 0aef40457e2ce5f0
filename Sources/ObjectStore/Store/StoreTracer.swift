import Synchronization

/// A statement that a store has run.
public struct StatementTrace: Sendable, CustomStringConvertible {
    /// The statement, without bound values.
    public let sql: String
    /// Its duration.
    public let duration: Duration
    /// The number of rows it returned.
    public let rows: Int

    /// The duration, the rows and the statement.
    public var description: String { "\(duration) \(rows) rows: \(sql)" }
}

/// Passes the statements of a store to a handler.
///
/// The handler is called after the connection was returned, so that it can use the store.
final class StoreTracer: Sendable {
    /// A struct: a closure that is read from a generic type directly is wrapped again at each access, until a call of it
    /// exhausts the stack.
    private struct Handler {
        var call: (@Sendable (StatementTrace) -> Void)?
    }

    private let handler = Mutex(Handler())
    /// Whether there is a handler.
    private let isActive = Atomic<Bool>(false)
    private let traces = Traces()
    /// The threads that call the handler, whose statements are not reported.
    private let reportingThreads = Mutex<Set<UInt>>([])

    private final class Traces: Sendable {
        let value = Mutex<[StatementTrace]>([])
    }

    func set(_ handler: (@Sendable (StatementTrace) -> Void)?) {
        var old = Handler(call: handler)
        // The previous handler is released outside the lock: deinitializers may run code of the user.
        self.handler.withLock { swap(&$0, &old) }
        isActive.store(handler != nil, ordering: .releasing)
    }

    /// Receives statements: the handler of the user, and the log of the process; `nil` if both are off.
    private var currentHandler: (@Sendable (StatementTrace) -> Void)? {
        let handler = isActive.load(ordering: .acquiring) ? handler.withLock { $0.call } : nil
        let isLogged = LogMessage.isEnabled(.debug)
        if handler != nil || isLogged {
            let thread = CurrentThread.number
            if reportingThreads.withLock({ $0.contains(thread) }) { return nil }
        }
        guard isLogged else { return handler }
        return { trace in
            handler?(trace)
            LogMessage.log(.objectStore, .debug, trace.description)
        }
    }

    /// Calls a closure that runs statements, then the handler for each of them.
    ///
    /// - Parameter body: Receives a function that it calls with the connection before it runs statements.
    func tracing<Result>(
        _ body: ((StoreConnection) -> Void) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let handler = currentHandler
        defer {
            if let handler {
                let noted = traces.value.withLock { traces in
                    defer { traces = [] }
                    return traces
                }
                let thread = CurrentThread.number
                _ = reportingThreads.withLock { $0.insert(thread) }
                noted.forEach(handler)
                _ = reportingThreads.withLock { $0.remove(thread) }
            }
        }
        return try body { connection in
            guard connection.database.isTraced != (handler != nil) else { return }
            connection.database.trace(
                handler == nil
                    ? nil
                    : { [traces] sql, nanoseconds, rows in
                        guard sql != StoreConnection.dataVersion, sql != StoreConnection.schemaVersion,
                            sql != OpenModel.selection
                        else { return }
                        let trace = StatementTrace(sql: sql, duration: .nanoseconds(nanoseconds), rows: rows)
                        traces.value.withLock { $0.append(trace) }
                    })
        }
    }
}

extension ManagedObjectStore {
    /// Sets a handler for every statement that the store runs, called on the thread of the statement.
    ///
    /// ```swift
    /// store.trace { print($0) }
    /// ```
    ///
    /// The handler can use the store; its own statements are not reported.
    ///
    /// - Parameter handler: The handler; `nil` removes it.
    public func trace(_ handler: (@Sendable (StatementTrace) -> Void)?) { tracer.set(handler) }
}
