// The only place that selects between platforms.
#if canImport(os)
    import os

    extension LogMessage {
        /// Sends the message to the unified log, with the subsystem `MappingKit` and the module as its category.
        ///
        /// ```swift
        /// LogMessage.setHandler { $0.writeToSystemLog() }
        /// ```
        public func writeToSystemLog() {
            let type: OSLogType =
                switch level {
                case .debug: .debug
                case .info: .info
                case .warning: .default
                case .error: .error
                }
            Logger(subsystem: "MappingKit", category: category.rawValue).log(level: type, "\(text, privacy: .public)")
        }
    }
#endif

#if canImport(VisibleMutex)
    @_exported import VisibleMutex

    // Only with the thread sanitizer, which does not support the locks of the standard library.
    typealias Mutex<Value: ~Copyable> = VisibleMutex<Value>
#endif
