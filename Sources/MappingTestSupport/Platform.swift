// The only place that selects between FoundationEssentials and Foundation; the C library comes with MappingSystemCalls.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
@_exported import MappingSystemCalls

#if canImport(VisibleMutex)
    @_exported import VisibleMutex

    // Only with the thread sanitizer, which does not support the locks of the standard library.
    typealias Mutex<Value: ~Copyable> = VisibleMutex<Value>
#endif
