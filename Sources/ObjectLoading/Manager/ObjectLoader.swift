import Synchronization

/// A load with progress, a delegate and completion closures, which can be cancelled.
///
/// ```swift
/// let loader = manager.loader("/projects")
/// loader.onProgress { print($0.fractionCompleted) }
/// let result = try await loader.result()
/// ```
///
/// The first call of ``result()`` or ``start(completion:)`` adds the request to the queue of the manager. Delegate and closures
/// receive a ``LoadResult``, whose objects they read in a context. A loader loads once, even if nothing retains it.
public final class ObjectLoader: Sendable {
    /// Receives the outcome of a loader.
    public typealias Completion = @Sendable (Result<LoadResult, any Error>) -> Void

    private struct State {
        var task: Task<LoadResult, any Error>?
        var isCancelled = false
        var outcome: Result<LoadResult, any Error>?
        var completions: [Completion] = []
    }

    /// The request.
    public let request: RESTRequest
    private let load: Load
    private let announce: Announcement
    private let observer: LoadObserver
    private let state = Mutex(State())

    /// Announces a load to its queue with what cancels it, and returns what ends the announcement.
    typealias Announcement = @Sendable (_ cancel: @escaping @Sendable () -> Void) -> @Sendable () -> Void

    /// Sends a request unless a policy does without it, and loads its response.
    typealias Load =
        @Sendable (_ request: RESTRequest, _ onRequest: @escaping @Sendable () -> Void) async throws -> LoadResult

    /// - Parameters:
    ///   - announce: Makes the load one of its owner before the request is in the queue.
    ///   - load: Sends the request and loads its response.
    init(
        _ request: RESTRequest, announce: @escaping Announcement,
        load: @escaping Load
    ) {
        let observer = LoadObserver()
        var request = request
        request.delegate = observer
        (self.request, self.announce, self.load, self.observer) = (request, announce, load, observer)
    }

    /// Receives the events of the request and the outcome; held weakly.
    public var delegate: (any ObjectLoaderDelegate)? {
        get { observer.delegate }
        set { observer.delegate = newValue }
    }

    /// Sets the closure that receives the progress of the request, as its delegate does.
    ///
    /// It receives the progress after this call, on the `callbackExecutor` of the client. It replaces an earlier closure.
    @discardableResult public func onProgress(_ handler: @escaping @Sendable (RequestProgress) -> Void) -> Self {
        observer.setProgressHandler(handler)
        return self
    }

    /// Starts the load, unless it was started before.
    ///
    /// - Parameter completion: Receives the outcome once, after the delegate, on the `callbackExecutor` of the client. Defaults
    ///   to none.
    public func start(completion: Completion? = nil) {
        let outcome = state.withLock { state in
            if let completion, state.outcome == nil { state.completions.append(completion) }
            return state.outcome
        }
        if let outcome, let completion { request.callbackExecutor.run { completion(outcome) } }
        _ = task()
    }

    /// The objects and values of the response; starts the load, unless it was started before.
    ///
    /// If the waiting task is cancelled, the load is cancelled.
    ///
    /// - Throws: Like ``ObjectManager/load(_:method:query:headers:owner:policy:pruning:)``, such as a `MappedRequestError` whose cause
    ///   is of kind `cancelled`.
    @discardableResult public func result() async throws -> LoadResult {
        let task = task()
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            cancel()
        }
    }

    /// Cancels the load, unless it has an outcome; a response that was received is loaded completely or not at all.
    ///
    /// Can be called from any thread, also before the load is started.
    public func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    private func task() -> Task<LoadResult, any Error> {
        if let task = state.withLock({ $0.task }) { return task }
        let end = announce { [weak self] in self?.cancel() }
        return state.withLock { state in
            if let task = state.task {
                end()
                return task
            }
            var request = request
            if state.isCancelled {
                request.refuse(RequestError(.cancelled, "the loader was cancelled before it was started"))
            }
            let task = Task { [request] in
                let outcome: Result<LoadResult, any Error>
                do {
                    outcome = .success(try await load(request) { [observer] in observer.expectEvents() })
                } catch { outcome = .failure(error) }
                end()
                // The request of `.localThenRemote` follows the outcome.
                let isLocal = (try? outcome.get()).map { $0.isLocal && $0.remoteError == nil } ?? false
                observer.afterEvents(on: request.callbackExecutor, isLocal: isLocal) { self.finish(outcome) }
                return try outcome.get()
            }
            state.task = task
            return task
        }
    }

    /// Calls the delegate and the completion closures.
    private func finish(_ outcome: Result<LoadResult, any Error>) {
        let completions = state.withLock { state in
            defer { state.completions = [] }
            state.outcome = outcome
            return state.completions
        }
        switch outcome {
        case .success(let result): delegate?.objectLoader(self, didLoad: result)
        case .failure(let error): delegate?.objectLoader(self, didFail: error)
        }
        for completion in completions { completion(outcome) }
    }
}
