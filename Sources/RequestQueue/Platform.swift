// Imports what all parts of the module use: FoundationEssentials or Foundation, Dispatch, locks; MappingSystemCalls imports the
// C library.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
@_exported public import MappingLog
@_exported import Dispatch
@_exported import Synchronization
@_exported import MappingSystemCalls

#if canImport(VisibleMutex)
    @_exported import VisibleMutex

    // Only for the thread sanitizer, which does not recognize Swift's `Mutex`.
    typealias Mutex<Value: ~Copyable> = VisibleMutex<Value>
#endif

extension ApplicationLifecycle {
    /// Observes the state of the application, on platforms that report it.
    func followSystem() {
        #if canImport(UIKit) && !os(watchOS)
            UIKitLifecycle.drive(self)
        #endif
    }
}
