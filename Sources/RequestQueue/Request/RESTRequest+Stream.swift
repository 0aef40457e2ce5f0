extension RESTRequest {
    /// Sends it and returns as soon as the head of the response is there; the body is read while it comes, in bounded
    /// memory and without a limit of its size.
    ///
    /// Its delegate is told of the response when the body has come to its end.
    ///
    /// - Throws: What goes wrong before the head is there; what goes wrong later is thrown by the body.
    public func stream() async throws(RequestError) -> RESTStream {
        let sink = StreamSink()
        let carrier = delegate == nil ? carrier(delivery: .stream(sink)) { sink.end($0) } : told(sink)
        let begun = await withTaskCancellationHandler {
            carrier.start()
            return await sink.begun()
        } onCancel: {
            carrier.cancel()
        }
        let head = try begun.get()
        return RESTStream(
            status: head.response.status, headers: head.response.headers, url: head.response.url,
            redirects: head.response.redirects, attempts: head.response.attempts,
            body: ResponseBody(StreamTransfer(carrier.exchange, sink, head)))
    }

    /// A carrier that the delegate is told of.
    private func told(_ sink: StreamSink) -> any RequestCarrier {
        let mailbox = Mailbox<RequestNotice> { $0.deliver(self, progress: nil) }
        mailbox.post(.willSend)
        return carrier(
            delivery: .stream(sink),
            observer: { event in mailbox.post(.event(event)) { $0.isReplaced(by: .event(event)) } },
            completion: { outcome in
                mailbox.post(.outcome(outcome))
                sink.end(outcome)
            })
    }
}
