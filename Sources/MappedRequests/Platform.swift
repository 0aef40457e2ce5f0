// Exports the modules that it combines, so that one import is sufficient.
@_exported public import ObjectMapping
@_exported public import RequestQueue

#if canImport(VisibleMutex)
    @_exported import VisibleMutex

    // Only with the thread sanitizer, which does not support the locks of the standard library.
    typealias Mutex<Value: ~Copyable> = VisibleMutex<Value>
#endif
