#if CURL
    /// Assigns the limited connections of each host to requests; further requests wait in order.
    struct ConnectionLimit {
        private let limit: Int
        private var active: [ObjectIdentifier: CurlTransfer] = [:]
        /// The waiting lines by origin; they are not empty.
        private var lines: [String: FIFOQueue<CurlTransfer>] = [:]

        /// - Parameter limit: The maximum number of connections to a host; 0 for no limit.
        init(_ limit: Int) { self.limit = max(limit, 0) }

        /// Whether no request has a connection or waits for one.
        var isIdle: Bool { active.isEmpty && lines.isEmpty }

        /// Assigns a connection to a request, or adds the request to a line.
        ///
        /// - Returns: Whether it has a connection.
        mutating func admit(_ transfer: CurlTransfer) -> Bool {
            let id = ObjectIdentifier(transfer)
            guard active[id] == nil else { return true }
            // Below the limit in total, the hosts do not matter.
            if limit > 0, active.count >= limit {
                let origin = transfer.origin
                let isFull = lines[origin] != nil || active.values.count { $0.origin == origin } >= limit
                guard !isFull else {
                    lines[origin, default: FIFOQueue()].append(transfer)
                    return false
                }
            }
            active[id] = transfer
            return true
        }

        /// Removes a request.
        ///
        /// - Returns: The request that receives its connection.
        mutating func remove(_ transfer: CurlTransfer) -> CurlTransfer? {
            guard active.removeValue(forKey: ObjectIdentifier(transfer)) != nil else {
                if !lines.isEmpty { change(transfer.origin) { $0.removeAll { $0 === transfer } } }
                return nil
            }
            guard !lines.isEmpty, let next = change(transfer.origin, { $0.takeFirst() }) else { return nil }
            active[ObjectIdentifier(next)] = next
            return next
        }

        @discardableResult
        private mutating func change<Result>(
            _ origin: String, _ body: (inout FIFOQueue<CurlTransfer>) -> Result?
        ) -> Result? {
            guard var line = lines.removeValue(forKey: origin) else { return nil }
            let result = body(&line)
            if line.count > 0 { lines[origin] = line }
            return result
        }
    }
#endif
