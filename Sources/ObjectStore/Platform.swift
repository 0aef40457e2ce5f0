// The one place that chooses between Foundation's small and whole library.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif

#if canImport(VisibleMutex)
    @_exported import VisibleMutex

    // Only under the thread sanitizer, which does not see the locks of Swift's own.
    typealias Mutex<Value: ~Copyable> = VisibleMutex<Value>
#endif
