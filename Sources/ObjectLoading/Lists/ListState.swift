/// What a list shows.
public enum ListState: Sendable {
    /// There are no objects yet: they are being read or loaded, or the path was not loaded before, or its load was cancelled.
    case loading
    /// There are objects.
    case loaded
    /// There are no objects.
    case empty
    /// There are no objects, because the server cannot be reached, or is not available: status 502, 503 or 504.
    case offline
    /// There are no objects, because of an error.
    case failed(any Error)
}

extension ListState: CustomStringConvertible {
    /// The name of the state, with the error.
    public var description: String {
        switch self {
        case .loading: "loading"
        case .loaded: "loaded"
        case .empty: "empty"
        case .offline: "offline"
        case .failed(let error): "failed: \(error)"
        }
    }
}

extension Error {
    /// Whether the server could not be reached, or is not available, so that the same request can succeed later.
    var isOffline: Bool { (self as? MappedRequestError)?.isUnavailable == true }

    /// Whether the load was cancelled, or replaced by a later one.
    var isCancelledLoad: Bool {
        self is CancellationError || (self as? MappedRequestError)?.isCancelled == true
            || (self as? PageError)?.kind == .replaced
    }
}
