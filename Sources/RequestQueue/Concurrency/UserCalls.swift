/// The calls of the user's code in which a task runs: refreshes of tokens and adapters.
///
/// Tasks that this code starts inherit the value, and may outlive the calls.
package struct UserCalls: Sendable {
    private final class Call: Sendable {
        /// The token that is refreshed; `nil` for an adapter.
        let token: ObjectIdentifier?
        private let hasEnded = Atomic(false)

        init(token: ObjectIdentifier?) { self.token = token }

        var isRunning: Bool { !hasEnded.load(ordering: .acquiring) }

        func end() { hasEnded.store(true, ordering: .releasing) }
    }

    /// The calls of the current task.
    @TaskLocal static var current = UserCalls()

    private var calls: [Call] = []

    /// Whether no call is running.
    var isEmpty: Bool { !calls.contains(where: \.isRunning) }

    /// The number of running adapters, each of which sends the request of the next one.
    var adapterCount: Int { calls.count { $0.isRunning && $0.token == nil } }

    /// Whether a token is being refreshed by the task.
    func isRefreshing(_ token: ObjectIdentifier) -> Bool { calls.contains { $0.isRunning && $0.token == token } }

    /// Runs an operation as a further call.
    ///
    /// - Parameter token: The token that the operation refreshes; `nil` for an adapter.
    nonisolated(nonsending) func adding<Result>(
        refreshOf token: ObjectIdentifier? = nil, _ operation: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        let call = Call(token: token)
        defer { call.end() }
        // Ended calls are removed, so that tasks that start each other do not retain all of them.
        let calls = UserCalls(calls: self.calls.filter(\.isRunning) + [call])
        return try await Self.$current.withValue(calls, operation: operation)
    }
}
