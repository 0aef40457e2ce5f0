#if CURL
    /// Which requests have one of the connections that a host may have, and which wait for one, in their order.
    struct ConnectionLimit {
        private let limit: Int
        private var active: [ObjectIdentifier: CurlTransfer] = [:]
        /// By origin; none is empty.
        private var lines: [String: WaitingLine<CurlTransfer>] = [:]

        /// - Parameter limit: Connections to one host; 0 for no limit.
        init(_ limit: Int) { self.limit = max(limit, 0) }

        /// Whether nothing has or waits for a connection.
        var isIdle: Bool { active.isEmpty && lines.isEmpty }

        /// Lets a request have a connection, or puts it in line for one.
        ///
        /// - Returns: Whether it has one.
        mutating func admit(_ transfer: CurlTransfer) -> Bool {
            let id = ObjectIdentifier(transfer)
            guard active[id] == nil else { return true }
            // While few are under way, it does not matter to which hosts.
            if limit > 0, active.count >= limit {
                let origin = transfer.origin
                let isFull = lines[origin] != nil || active.values.count { $0.origin == origin } >= limit
                guard !isFull else {
                    lines[origin, default: WaitingLine()].append(transfer)
                    return false
                }
            }
            active[id] = transfer
            return true
        }

        /// Takes a request out.
        ///
        /// - Returns: The request that may have its connection.
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
            _ origin: String, _ body: (inout WaitingLine<CurlTransfer>) -> Result?
        ) -> Result? {
            guard var line = lines.removeValue(forKey: origin) else { return nil }
            let result = body(&line)
            if line.count > 0 { lines[origin] = line }
            return result
        }
    }
#endif
