// Exports the module that users of resources need, so that one import is sufficient.
@_exported public import MappedRequests

#if canImport(VisibleMutex)
    @_exported import VisibleMutex

    // Only with the thread sanitizer, which does not support the locks of the standard library.
    typealias Mutex<Value: ~Copyable> = VisibleMutex<Value>
#endif
