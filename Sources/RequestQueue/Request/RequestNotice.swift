/// What is told to who sent a request, in this order: once, once before a response, any number of times, once.
enum RequestNotice: Sendable {
    case willSend
    case event(ExchangeEvent)
    case outcome(Result<RESTResponse, RequestError>)

    /// Whether a later notice says all that this one says.
    func isReplaced(by other: RequestNotice) -> Bool {
        if case .event(.progress) = self, case .event(.progress) = other { true } else { false }
    }

    /// Calls the delegate of the request and the handler of its progress.
    func deliver(_ request: RESTRequest) {
        switch self {
        case .willSend: request.delegate?.requestWillSend(request)
        case .event(.didSend): request.delegate?.requestDidSend(request)
        case .event(.progress(let now)):
            request.progressHandler?(now)
            request.delegate?.request(request, didProgress: now)
        case .event(.awaitsTurn): break
        case .event(.willRetry(let retry)): request.delegate?.request(request, willRetry: retry)
        case .outcome(let outcome): request.delegate?.tell(outcome, of: request)
        }
    }
}

extension RequestDelegate {
    /// Tells the outcome in the one way that is its own.
    package func tell(_ outcome: Result<RESTResponse, RequestError>, of request: RESTRequest) {
        switch outcome {
        case .success(let response): self.request(request, didLoad: response)
        case .failure(let error) where error.kind == .cancelled: requestDidCancel(request)
        case .failure(let error) where error.isTimeout: self.request(request, didTimeOut: error)
        case .failure(let error): self.request(request, didFail: error)
        }
    }
}
