// The one place that chooses between Foundation's small and whole library, and between C libraries.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
#if canImport(Glibc)
    @_exported import Glibc
#elseif canImport(Musl)
    @_exported import Musl
#elseif canImport(Darwin)
    @_exported import Darwin
#endif
@_exported import SystemCalls

#if canImport(VisibleMutex)
    @_exported import VisibleMutex

    // Only under the thread sanitizer, which does not see the locks of Swift's own.
    typealias Mutex<Value: ~Copyable> = VisibleMutex<Value>
#endif
