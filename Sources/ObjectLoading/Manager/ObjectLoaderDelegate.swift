import Synchronization

/// Receives the events of the request of an ``ObjectLoader``, and then its outcome.
///
/// The events are those of a `RequestDelegate`, such as `request(_:didProgress:)`. After the last one of them, exactly one of
/// the two methods below is called. Calls are serial, on the `callbackExecutor` of the client.
public protocol ObjectLoaderDelegate: RequestDelegate {
    /// The response was loaded.
    func objectLoader(_ loader: ObjectLoader, didLoad result: LoadResult)
    /// The load failed or was cancelled.
    func objectLoader(_ loader: ObjectLoader, didFail error: any Error)
}

/// Forwards the events of a request to the delegate and the closure of a loader.
final class LoadObserver: RequestDelegate {
    private struct State {
        weak var delegate: (any ObjectLoaderDelegate)?
        var progressHandler: (@Sendable (RequestProgress) -> Void)?
        /// Whether the request is sent, so that it has events.
        var isRequested = false
        var hasEnded = false
        /// What follows the last event.
        var last: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var delegate: (any ObjectLoaderDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    func setProgressHandler(_ handler: @escaping @Sendable (RequestProgress) -> Void) {
        // The previous handler is released outside the lock, which may run code of the user.
        _ = state.withLock { state in
            defer { state.progressHandler = handler }
            return state.progressHandler
        }
    }

    /// Is called before the request is sent.
    func expectEvents() { state.withLock { $0.isRequested = true } }

    /// Runs a block after the last event of the request, if there are any.
    ///
    /// - Parameter isLocal: Whether the block does not wait for the request.
    func afterEvents(on executor: CallbackExecutor, isLocal: Bool, _ block: @escaping @Sendable () -> Void) {
        let waits = state.withLock { state in
            let waits = state.isRequested && !state.hasEnded && !isLocal
            if waits { state.last = block }
            return waits
        }
        if !waits { executor.run(block) }
    }

    private func end() {
        let last = state.withLock { state in
            defer { state.last = nil }
            state.hasEnded = true
            return state.last
        }
        last?()
    }

    func requestWillSend(_ request: RESTRequest) { delegate?.requestWillSend(request) }
    func requestDidSend(_ request: RESTRequest) { delegate?.requestDidSend(request) }

    func request(_ request: RESTRequest, didProgress progress: RequestProgress) {
        state.withLock { $0.progressHandler }?(progress)
        delegate?.request(request, didProgress: progress)
    }

    func request(_ request: RESTRequest, willRetry retry: RequestRetry) {
        delegate?.request(request, willRetry: retry)
    }

    func request(_ request: RESTRequest, didLoad response: RESTResponse) {
        delegate?.request(request, didLoad: response)
        end()
    }

    func request(_ request: RESTRequest, didFail error: RequestError) {
        delegate?.request(request, didFail: error)
        end()
    }

    func requestDidCancel(_ request: RESTRequest) {
        delegate?.requestDidCancel(request)
        end()
    }

    func request(_ request: RESTRequest, didTimeOut error: RequestError) {
        delegate?.request(request, didTimeOut: error)
        end()
    }
}
