/// A token that is sent with requests, and a closure that refreshes it when a server rejects it (RFC 6750).
///
/// ```swift
/// let token = BearerToken(saved.accessToken) { try await session.refresh() }
/// client.authentication = .bearer(token)
/// ```
///
/// A request that receives status 401 waits for a refresh and is sent once more; a second 401 is its response.
/// Concurrent requests share one refresh, and a request that was sent with an outdated token does not start another
/// one. Requests that start during a refresh wait for it. Cancelling a request does not cancel the refresh for the
/// others.
///
/// If the refresh throws an error or times out, each waiting request fails with `authenticationFailed` and the cause.
/// If it throws a network error, such as a ``RequestError`` of kind `offline` or `connectionRefused`, they fail with
/// the same kind. The next request that needs a token tries again. The refresh must use a client without this token: a
/// request that it sends with the token itself fails immediately instead of waiting for itself. The refresh may add its
/// request to the queue whose requests wait for the token: it is sent in addition to the queue's limit.
///
/// A token without a closure, such as a personal access token, is not refreshed: `Authentication.bearer("token")`.
public final class BearerToken: Sendable {
    /// `nil` for a token that cannot be refreshed.
    private let refresh: (@Sendable () async throws -> String)?
    private let refreshLimit: Duration
    private let account: String?
    private let state: Mutex<BearerState>

    /// Creates a token with a closure that refreshes it.
    ///
    /// - Parameters:
    ///   - token: The token. Defaults to `nil`: it is requested before the first request.
    ///   - account: A name of the account of the tokens, so that responses in a ``RequestSettings/cache`` can be used after
    ///     a refresh. Defaults to `nil`: responses are stored separately for each token.
    ///   - refreshLimit: The time limit of a refresh. Defaults to 30 seconds. The time during which the process was
    ///     suspended does not count.
    ///   - refresh: Returns a new token. It is cancelled after the time limit.
    public init(
        _ token: String? = nil, account: String? = nil, refreshLimit: Duration = .seconds(30),
        refresh: @escaping @Sendable () async throws -> String
    ) {
        self.refresh = refresh
        self.account = account
        self.refreshLimit = refreshLimit
        state = Mutex(BearerState(token: token))
    }

    /// Creates a token that is not refreshed: if a server rejects it, its response with status 401 is the outcome.
    ///
    /// - Parameter token: The token. If it is empty or contains spaces or control characters, requests fail with
    ///   `authenticationFailed`.
    init(fixed token: String) {
        refresh = nil
        account = nil
        refreshLimit = .zero
        state = Mutex(BearerState(token: token))
    }

    /// Whether another token can be requested.
    var isRefreshable: Bool { refresh != nil }

    /// Provides a token, immediately or after a refresh.
    ///
    /// - Parameters:
    ///   - refused: The refresh count of a rejected token.
    ///   - sender: The calls of the task that sends the request.
    ///   - receive: Called once, on the calling thread or on any other.
    func take(refused: Int?, from sender: UserCalls, _ receive: @escaping BearerState.Receiver) {
        if sender.isRefreshing(ObjectIdentifier(self)) {
            let advice = "the token refresh sends a request with the token itself; use a client without authentication"
            return receive(.failure(TransportFailure(.authenticationFailed, advice)))
        }
        switch state.withLock({ $0.take(refused: refused, receive) }) {
        case .done(let result): receive(result)
        case .wait: break
        case .refresh(let number): startRefresh(number)
        }
    }

    /// A text that identifies the user; `nil` before the first token.
    var cacheIdentity: String? {
        account.map { "account\0\($0)" } ?? state.withLock { $0.token }.map { "token\0\($0)" }
    }

    private func startRefresh(_ number: Int) {
        guard let refresh else { return end(number, with: .failure(BearerState.invalidToken)) }
        // Detached: the first request must not pass its priority or cancellation to the requests that wait.
        let task = Task.detached { [self] in
            let result: Result<String, TransportFailure>
            do {
                result = .success(
                    try await UserCalls().adding(refreshOf: ObjectIdentifier(self)) { try await refresh() })
            } catch {
                result = .failure(Self.failure(after: error))
            }
            end(number, with: result)
        }
        let alarm = Alarm.set(after: refreshLimit) { [self] in
            let cause = "the token was not refreshed in time; BearerToken's refreshLimit is \(refreshLimit.inSeconds) s"
            // First, because the cancelled refresh would end with its own error.
            end(number, with: .failure(TransportFailure(.authenticationFailed, cause)))
            task.cancel()
        }
        // The refresh may have already ended.
        if !state.withLock({ $0.watch(number, by: alarm) }) { alarm.cancel() }
    }

    /// Returns the failure of a refresh; a network error keeps its kind.
    ///
    /// The user does not have to sign in again after a network error.
    private static func failure(after error: any Error) -> TransportFailure {
        let cause = "the token could not be refreshed: \(causeText(of: error))"
        guard let error = error as? RequestError,
            RetryPolicy.transientFailures.union([.offline, .timedOut, .backgroundTimedOut]).contains(error.kind)
        else { return TransportFailure(.authenticationFailed, cause) }
        return TransportFailure(error.kind, cause)
    }

    private func end(_ number: Int, with result: Result<String, TransportFailure>) {
        guard let end = state.withLock({ $0.end(number, with: result) }) else { return }
        end.alarm?.cancel()
        for receive in end.receivers { receive(end.taken) }
    }
}

extension BearerToken: CustomStringConvertible, CustomReflectable {
    /// A description without the token.
    public var description: String { "bearer token" }

    /// An empty mirror, so that `dump` does not print the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
