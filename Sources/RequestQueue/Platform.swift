// The one place that chooses between Foundation's small and whole library; the C library comes with SystemCalls.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
@_exported public import MappingLog
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
