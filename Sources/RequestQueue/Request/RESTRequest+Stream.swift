extension RESTRequest {
    /// Sends the request and returns when the head of the response is received.
    ///
    /// The body is read while it arrives, in bounded memory and without a size limit.
    ///
    /// The delegate receives the response at the end of the body.
    ///
    /// - Throws: Errors before the head is received; the body throws later ones.
    public func stream() async throws(RequestError) -> RESTStream {
        let sink = StreamSink()
        let exchange =
            delegate == nil && progressHandler == nil
            ? Exchange(self, delivery: .stream(sink), followsLifecycle: true) { sink.end($0) } : observed(sink)
        let begun = await withTaskCancellationHandler {
            exchange.start()
            return await sink.begun()
        } onCancel: {
            exchange.cancel()
        }
        let head = try begun.get()
        return RESTStream(exchange, sink, head)
    }

    /// An exchange whose events are delivered to the delegate and the progress handler.
    private func observed(_ sink: StreamSink) -> Exchange {
        let mailbox = Mailbox<RequestCallback> { $0.deliver(self) }
        let executor = callbackExecutor
        mailbox.post(.willSend, on: executor)
        return Exchange(
            self, delivery: .stream(sink), followsLifecycle: true,
            observer: { event in
                mailbox.post(.event(event), on: executor) { $0.isReplaced(by: .event(event)) }
            },
            completion: { outcome in
                mailbox.post(.outcome(outcome), on: executor)
                sink.end(outcome)
            })
    }
}
