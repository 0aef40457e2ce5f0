#if URLSESSION
    import Dispatch
    import Synchronization

    /// A request that is sent with URLSession.
    final class URLSessionTransfer: TransportTask {
        private struct State {
            var handler: (any TransportHandler)?
            var task: URLSessionTask?
            /// The body that is being read.
            var body: BlockingBody?
            var hasBody = false
            /// The number of `false` results of the handler, minus resumptions, which can arrive first.
            var refusals = 0
            /// The reason why it was ended; the first one is kept.
            var failure: TransportFailure?
        }

        private let request: TransportRequest
        private let state: Mutex<State>
        /// Suspends and resumes in the order of the decisions; URLSession can block.
        private static let pauses = DispatchQueue(label: "mappingkit.urlsession.pauses")

        init(_ request: TransportRequest, handler: any TransportHandler) {
            self.request = request
            state = Mutex(State(handler: handler))
        }

        // MARK: Start and end

        /// Starts the task.
        ///
        /// The connection counts as established, because URLSession reports it only at the end.
        ///
        /// - Returns: Whether it was not ended before.
        func begin(_ task: URLSessionTask) -> Bool {
            let handler = state.withLock { state -> (any TransportHandler)? in
                guard state.failure == nil else { return nil }
                state.task = task
                return state.handler
            }
            handler?.transportDidConnect()
            return handler != nil
        }

        func cancel() { end(.cancelled) }

        func resume() {
            state.withLock { state in
                state.refusals -= 1
                guard state.refusals == 0, let task = state.task else { return }
                Self.pauses.async { task.resume() }
            }
        }

        /// Ends the transfer with a failure: immediately before the start, otherwise when URLSession reports the end.
        func end(_ failure: TransportFailure) {
            let (task, body) = state.withLock { state in
                if state.failure == nil { state.failure = failure }
                return (state.task, state.body)
            }
            body?.stop()
            guard let task else { return didFinish(nil) }
            // On Linux, `cancel` waits for the queue on which bodies are read, which may be the current one.
            DispatchQueue.global().async { task.cancel() }
        }

        func didFinish(_ error: (any Error)?) {
            var ended = state.withLock { state in
                defer { (state.handler, state.task, state.body) = (nil, nil, nil) }
                return state
            }
            ended.body?.stop()
            // Before the request is sent again: its deinitializer can cancel the request.
            ended.body = nil
            ended.handler?.transportDidFinish(ended.failure ?? error.map { TransportFailure(urlError: $0) })
        }

        // MARK: Sending

        /// Returns the body from its start; `nil` if it cannot be opened.
        func openBody() -> BlockingBody? {
            guard let declared = request.body else { return nil }
            do {
                let body = try BlockingBody(declared) { [weak self] in self?.end($0) }
                // The former body is released outside the lock: its deinitializer can cancel the request.
                let (handler, former) = state.withLock { state in
                    defer { state.body = body }
                    return (state.failure == nil ? state.handler : nil, state.body)
                }
                former?.stop()
                guard let handler else { return nil }
                if former != nil { handler.transportDidSend(0) }
                return body
            } catch {
                end(error)
                return nil
            }
        }

        func didSend(_ bytes: Int64) { state.withLock { $0.handler }?.transportDidSend(bytes) }

        // MARK: Receiving

        func didReceive(_ response: URLResponse) {
            guard let response = response as? HTTPURLResponse else {
                return end(TransportFailure(.malformedResponse, "the response is not HTTP"))
            }
            // Foundation reports informational responses on Linux.
            guard response.statusCode >= 200 else {
                state.withLock { $0.failure == nil ? $0.handler : nil }?.transportDidReceiveHeadBytes()
                return
            }
            // On Apple platforms, each part of such a response is reported as a response, without its boundaries.
            guard !state.withLock({ $0.hasBody }) else {
                return end(
                    TransportFailure(
                        .malformedResponse,
                        "responses of type multipart/x-mixed-replace are not supported by URLSession"))
            }
            var headers = HTTPHeaders()
            var bytes = 0
            for case (let name as String, let value as String) in response.allHeaderFields {
                bytes += name.utf8.count + value.utf8.count + 4
                let values = name.lowercased() == "set-cookie" ? value.cookies : [value]
                for value in values { headers.add(value, for: name) }
            }
            guard bytes <= request.headerLimit else {
                return end(
                    TransportFailure(.responseTooLarge, "the header fields have more than \(request.headerLimit) bytes")
                )
            }
            state.withLock { $0.failure == nil ? $0.handler : nil }?.transportDidReceive(
                ResponseHead(status: response.statusCode, headers: headers, isDecoded: true))
        }

        func didReceive(_ data: Data) {
            let handler = state.withLock { state in
                state.hasBody = true
                return state.failure == nil ? state.handler : nil
            }
            guard let handler else { return }
            var refusals = 0
            for region in data.regions where !handler.transportDidReceive(region.bytes) { refusals += 1 }
            guard refusals > 0 else { return }
            state.withLock { state in
                let wasPaused = state.refusals > 0
                state.refusals += refusals
                guard !wasPaused, state.refusals > 0, let task = state.task else { return }
                Self.pauses.async { task.suspend() }
            }
        }
    }

    extension String {
        /// The values of `Set-Cookie` fields that URLSession joined with commas, which dates contain as well.
        fileprivate var cookies: [String] {
            var cookies: [String] = []
            for piece in split(separator: ",", omittingEmptySubsequences: false) {
                // A cookie starts with its name and an equals sign, before any semicolon.
                let isCookie = piece.prefix { $0 != ";" }.contains("=")
                if isCookie || cookies.isEmpty {
                    cookies.append(String(piece.drop { $0 == " " }))
                } else {
                    cookies[cookies.count - 1] += "," + piece
                }
            }
            return cookies
        }
    }
#endif
