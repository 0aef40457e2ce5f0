extension RequestQueueDelegate {
    func receive(_ event: RequestQueue.Event, from queue: RequestQueue) {
        switch event {
        case .wasSuspended(let reason): requestQueue(queue, wasSuspendedFor: reason)
        case .wasUnsuspended(let reason): requestQueue(queue, wasUnsuspendedFor: reason)
        case .didBeginLoading: requestQueueDidBeginLoading(queue)
        case .didFinishLoading: requestQueueDidFinishLoading(queue)
        case .willSend(let request): requestQueue(queue, willSend: request)
        case .didSend(let request): requestQueue(queue, didSend: request)
        case .didProgress(let request, let progress): requestQueue(queue, didProgress: progress, of: request)
        case .willRetry(let request, let retry): requestQueue(queue, willRetry: retry, of: request)
        case .didLoad(let request, let response): requestQueue(queue, didLoad: response, of: request)
        case .didCancel(let request, _): requestQueue(queue, didCancel: request)
        case .didFail(let request, let error): requestQueue(queue, didFail: error, of: request)
        case .didTimeOut(let request, let error): requestQueue(queue, didTimeOut: error, of: request)
        }
    }
}

extension QueuedRequest {
    /// Calls the delegate, the handler of the progress and, at the end, the completion.
    func receive(_ event: RequestQueue.Event) {
        let delegate = request.delegate
        switch event {
        case .willSend: delegate?.requestWillSend(request)
        case .didSend: delegate?.requestDidSend(request)
        case .didProgress(_, let progress):
            request.progressHandler?(progress)
            delegate?.request(request, didProgress: progress)
        case .willRetry(_, let retry): delegate?.request(request, willRetry: retry)
        default: break
        }
        if let outcome = event.outcome {
            delegate?.receive(outcome, of: request)
            completion?(outcome)
        }
    }
}
