#if canImport(VisibleMutex)
    @_exported import VisibleMutex

    // Only under the thread sanitizer.
    typealias Mutex<Value: ~Copyable> = VisibleMutex<Value>
#endif
