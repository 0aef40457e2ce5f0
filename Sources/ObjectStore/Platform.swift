// The only file that selects between FoundationEssentials and Foundation.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
@_exported public import MappingLog
// Programs that store objects declare mappings as well, so that one import is sufficient.
@_exported public import ObjectMapping

#if canImport(VisibleMutex)
    @_exported import VisibleMutex

    // Only with the thread sanitizer, which does not support the locks of the standard library.
    typealias Mutex<Value: ~Copyable> = VisibleMutex<Value>
#endif
