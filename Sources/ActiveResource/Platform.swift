// What users of resources need comes with the module: one import is enough.
@_exported public import MappedRequests

#if canImport(VisibleMutex)
    @_exported import VisibleMutex

    // Only under the thread sanitizer, which does not see the locks of Swift's own.
    typealias Mutex<Value: ~Copyable> = VisibleMutex<Value>
#endif
