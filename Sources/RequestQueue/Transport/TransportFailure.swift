/// Why a transport could not carry a request to its end.
public struct TransportFailure: Error, Sendable, Hashable {
    /// What happened.
    public var kind: RequestError.Kind
    /// The cause, as a sentence without its full stop, with the code of the library or system that told it.
    public var cause: String

    /// A failure of a kind, with its cause.
    public init(_ kind: RequestError.Kind, _ cause: String) {
        self.kind = kind
        self.cause = cause
    }
}

extension TransportFailure {
    /// That a body could not be opened or read.
    package init(bodyError error: any Error) {
        switch error {
        case let failure as TransportFailure: self = failure
        case let failure as RequestError: self.init(failure.kind, failure.cause)
        default: self.init(.bodyUnreadable, "the body cannot be read: \(error)")
        }
    }
}
