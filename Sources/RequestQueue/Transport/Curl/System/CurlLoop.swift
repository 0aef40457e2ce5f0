#if CURL
    import CMappingCurl

    /// The loop of a transport's thread, which performs all requests of a multi handle.
    ///
    /// Only this thread uses it. Safe: the multi handle is freed together with the object, after its easy handles.
    @safe final class CurlLoop {
        private let inbox: CurlInbox
        private let alarm: CurlAlarm
        private let multi: UnsafeMutableRawPointer
        private var pool: [CurlHandle] = []
        private let sockets = CurlSockets()
        private let tls: Result<CurlTLS, TransportFailure>
        /// Requests whose body was declared empty and does not report its end yet.
        private var waiting: [ObjectIdentifier: CurlTransfer] = [:]
        /// Connections are limited here and not in libcurl, because libcurl does not report when a request leaves its
        /// queue, which starts the connect timeout.
        private var connections: ConnectionLimit
        private let batch = EventBatch()

        /// Runs until the inbox is closed and no request is active.
        static func run(_ inbox: CurlInbox) {
            guard curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK, let loop = CurlLoop(inbox) else {
                for case .start(let transfer) in inbox.take(leaving: true) {
                    transfer.finish(TransportFailure(.connectionFailed, "libcurl cannot be initialized"))
                }
                return
            }
            loop.run()
        }

        private init?(_ inbox: CurlInbox) {
            guard let alarm = CurlAlarm(), let multi = unsafe curl_multi_init() else { return nil }
            self.inbox = inbox
            self.alarm = alarm
            unsafe self.multi = multi
            tls = Result { () throws(TransportFailure) in try CurlTLS(inbox.tls) }
            connections = ConnectionLimit(inbox.options.connectionsPerHost)
            // By default, libcurl keeps four for each running request, and so closes most after a burst; 0 is that default.
            let limit = min(max(inbox.options.idleConnections, 1), Int(Int32.max))
            _ = unsafe mk_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, limit)
        }

        deinit {
            pool.removeAll()
            unsafe curl_multi_cleanup(multi)
        }

        /// Handles that are kept for later requests, about 6 KiB each.
        private static let idleHandles = 32

        private func run() {
            var idleSince: ContinuousClock.Instant?
            while true {
                let commands = inbox.take()
                if !commands.isEmpty { idleSince = nil }
                batch.run {
                    for command in commands { obey(command) }
                    var count: Int32 = 0
                    unsafe curl_multi_perform(multi, &count)
                    endFinished()
                }
                var timeout = Int32.max
                if connections.isIdle {
                    let start = idleSince ?? .now
                    idleSince = start
                    let rest = (max(inbox.options.idleTimeout, .zero) - start.duration(to: .now)) / .milliseconds(1)
                    timeout = Int32(min(max(rest.rounded(.up), 0), Double(Int32.max)))
                }
                let hasPostponedWork = batch.hasPostponedWork
                if hasPostponedWork { timeout = min(timeout, 1) }
                switch inbox.rest(
                    alarm, isIdle: connections.isIdle && !hasPostponedWork, isExpired: timeout == 0)
                {
                case .none: break
                case .sleep: unsafe alarm.wait(with: multi, milliseconds: timeout)
                case .end: return
                }
            }
        }

        private func obey(_ command: CurlInbox.Command) {
            switch command {
            case .start(let transfer): start(transfer)
            case .cancel(let transfer):
                end(transfer, failure: .cancelled)
            case .receive(let transfer): end(transfer, failedBy: transfer.resumeReceiving())
            case .send(let transfer):
                if transfer.isRunning { end(transfer, failedBy: transfer.resumeSending()) } else { start(transfer) }
            }
        }

        private func start(_ transfer: CurlTransfer) {
            guard !transfer.isFinished else { return }
            waiting[ObjectIdentifier(transfer)] = nil
            guard connections.admit(transfer) else { return transfer.waitForConnection() }
            guard let handle = pool.popLast() ?? CurlHandle() else {
                return finish(transfer, TransportFailure(.connectionFailed, "libcurl cannot create a handle"))
            }
            do {
                guard try transfer.prepare(handle, sockets, tls.get()) else {
                    waiting[ObjectIdentifier(transfer)] = transfer
                    return recycle(handle)
                }
            } catch {
                recycle(handle)
                return finish(transfer, error)
            }
            add(transfer, handle)
        }

        private func add(_ transfer: CurlTransfer, _ handle: CurlHandle) {
            let code = unsafe curl_multi_add_handle(multi, handle.easy)
            guard code == CURLM_OK else {
                transfer.release()
                return finish(
                    transfer,
                    TransportFailure(.connectionFailed, "libcurl rejected the request (CURLMcode \(code.rawValue))"))
            }
        }

        private func endFinished() {
            var left: Int32 = 0
            while let message = unsafe curl_multi_info_read(multi, &left) {
                guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle,
                    let transfer = unsafe CurlTransfer.at(mk_curl_private(easy))
                else { continue }
                let code = unsafe message.pointee.data.result
                if let handle = transfer.handleForFreshConnection() {
                    unsafe curl_multi_remove_handle(multi, easy)
                    add(transfer, handle)
                } else {
                    end(transfer, failure: transfer.outcome(code))
                }
            }
        }

        /// Ends a request whose pause could not be ended.
        private func end(_ transfer: CurlTransfer, failedBy code: CURLcode) {
            if code != CURLE_OK { end(transfer, failure: transfer.outcome(code)) }
        }

        private func end(_ transfer: CurlTransfer, failure: TransportFailure?) {
            waiting[ObjectIdentifier(transfer)] = nil
            guard !transfer.isFinished else { return }
            if let handle = transfer.handle {
                transfer.collectMetrics()
                unsafe curl_multi_remove_handle(multi, handle.easy)
                transfer.release()
                // libcurl leaves its buffer in a handle whose transfer failed early, and then ignores a new buffer
                // size.
                if failure == nil { recycle(handle) }
            }
            finish(transfer, failure)
        }

        /// Reports the end, and starts the request that receives the connection.
        private func finish(_ transfer: CurlTransfer, _ failure: TransportFailure?) {
            let next = connections.remove(transfer)
            transfer.finish(failure)
            guard let next else { return }
            // Posted, because a request that fails immediately would start the next one recursively.
            inbox.post(.send(next))
        }

        /// Keeps a handle for a later request, unless there are enough, or its buffer is large.
        private func recycle(_ handle: CurlHandle) {
            guard pool.count < Self.idleHandles, !handle.isLarge else { return }
            handle.reset()
            pool.append(handle)
        }
    }
#endif
