extension RESTRequest {
    /// Sends it and returns as soon as the head of the response is there; the body is read while it comes, in bounded
    /// memory and without a limit of its size.
    ///
    /// - Throws: What goes wrong before the head is there; what goes wrong later is thrown by the body.
    public func stream() async throws(RequestError) -> RESTStream {
        let sink = StreamSink()
        let exchange = Exchange(self, delivery: .stream(sink)) { sink.end($0) }
        let begun = await withTaskCancellationHandler {
            exchange.start()
            return await sink.begun()
        } onCancel: {
            exchange.cancel()
        }
        let head = try begun.get()
        return RESTStream(
            status: head.response.status, headers: head.response.headers, url: head.response.url,
            redirects: head.response.redirects, body: ResponseBody(StreamTransfer(exchange, sink, head)))
    }
}
