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

extension ApplicationLifecycle {
    /// Has the system tell when the process comes and goes, where it does.
    func followSystem() {
        #if canImport(UIKit) && !os(watchOS)
            UIKitLifecycle.drive(self)
        #endif
    }
}

extension stat {
    /// When the file was written to last; its C name differs from system to system.
    var modificationTime: timespec {
        #if canImport(Darwin)
            st_mtimespec
        #else
            st_mtim
        #endif
    }
}
