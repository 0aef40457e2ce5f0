import Synchronization

/// A token that requests are sent with, and how to get the next one when a server does not take it any more (RFC 6750).
///
/// ```swift
/// let token = BearerToken(saved.accessToken) { try await session.refresh() }
/// client.authentication = .bearer(token)
/// ```
///
/// A request that gets status 401 waits for a refresh and goes once more; the second 401 is its response. However many
/// requests need a new token at once, there is one refresh, and none for those that were sent with an older token than the
/// newest. Requests that begin meanwhile wait, too; one that is cancelled takes the refresh from nobody else.
///
/// If the refresh throws or takes too long, each request that waits for it fails as `authenticationFailed`, with the cause;
/// if it throws that the network failed, as a ``RequestError`` of kind `offline` or `connectionRefused`, they fail in the
/// same way. The next request that needs a token tries again. The refresh has to ask by a client without this token: a
/// request that it sends itself, and not by a queue, would wait for itself, and fails at once.
public final class BearerToken: Sendable {
    private let refresh: @Sendable () async throws -> String
    private let refreshLimit: Duration
    private let account: String?
    private let state: Mutex<BearerState>

    /// The token whose refresh runs in this task.
    @TaskLocal static var refreshed: ObjectIdentifier?

    /// A token, and what gets the next one.
    ///
    /// - Parameters:
    ///   - token: The token; nil: it is got before the first request.
    ///   - account: A name of whom the tokens speak for, so that responses in a ``RESTClient/cache`` outlast a refresh; they
    ///     are kept for each token unless told.
    ///   - refreshLimit: How long a refresh may take; 30 s unless told. Time during which the process was stopped does not
    ///     count.
    ///   - refresh: Returns a new token. It is cancelled when its time is over.
    public init(
        _ token: String? = nil, account: String? = nil, refreshLimit: Duration = .seconds(30),
        refresh: @escaping @Sendable () async throws -> String
    ) {
        self.refresh = refresh
        self.account = account
        self.refreshLimit = refreshLimit
        state = Mutex(BearerState(token: token))
    }

    /// Hands over a token, at once or after a refresh.
    ///
    /// - Parameters:
    ///   - refused: Of a token that was not taken, the number of refreshes that had ended when it was handed over.
    ///   - within: The token whose refresh sends the request that asks.
    ///   - receive: Called once, by the thread that asks or by one of no one's.
    func take(refused: Int?, within: ObjectIdentifier?, _ receive: @escaping BearerState.Receiver) {
        if within == ObjectIdentifier(self) {
            let advice = "the refresh of the token asks by the token itself; give it a client without authentication"
            return receive(.failure(TransportFailure(.authenticationFailed, advice)))
        }
        switch state.withLock({ $0.take(refused: refused, receive) }) {
        case .done(let result): receive(result)
        case .wait: break
        case .refresh(let number): startRefresh(number)
        }
    }

    /// Whom it speaks for; nil while nobody knows.
    var cacheIdentity: String? {
        account.map { "account\0\($0)" } ?? state.withLock { $0.token }.map { "token\0\($0)" }
    }

    private func startRefresh(_ number: Int) {
        // Detached: who needs the token first lends neither its priority nor its cancellation to all that wait for it.
        let task = Task.detached { [self] in
            let result: Result<String, TransportFailure>
            do {
                result = .success(try await Self.$refreshed.withValue(ObjectIdentifier(self)) { try await refresh() })
            } catch {
                result = .failure(Self.failure(after: error))
            }
            end(number, with: result)
        }
        let alarm = Alarm.set(after: refreshLimit) { [self] in
            task.cancel()
            let cause = "the token was not refreshed in time; BearerToken's refreshLimit is \(refreshLimit)"
            end(number, with: .failure(TransportFailure(.authenticationFailed, cause)))
        }
        // The refresh may have ended by now.
        if !state.withLock({ $0.watch(number, by: alarm) }) { alarm.cancel() }
    }

    /// A network that failed the refresh says nothing about who asks: nobody is to sign in again for that.
    private static func failure(after error: any Error) -> TransportFailure {
        let cause = "the token could not be refreshed: \(printable("\(error)"))"
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
    /// Not the token.
    public var description: String { "bearer token" }

    /// Nothing: `dump` does not show the token either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
