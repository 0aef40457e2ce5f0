#if canImport(VisibleMutex)
    import VisibleMutex

    // Only under the thread sanitizer.
    typealias Mutex<Value: ~Copyable> = VisibleMutex<Value>
#endif
