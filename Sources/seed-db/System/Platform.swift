// The only file that selects between FoundationEssentials and Foundation; the C library comes with MappingSystemCalls.
#if canImport(FoundationEssentials)
    @_exported import FoundationEssentials
#else
    @_exported import Foundation
#endif
@_exported import MappingSystemCalls

extension sigaction {
    /// Whether the signal is ignored.
    var isIgnored: Bool {
        #if canImport(Darwin)
            unsafe unsafeBitCast(__sigaction_u.__sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        #else
            unsafe unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        #endif
    }

    /// Sets the function to be called.
    mutating func setHandler(_ handler: @escaping @convention(c) (Int32) -> Void) {
        #if canImport(Darwin)
            unsafe __sigaction_u.__sa_handler = handler
        #else
            unsafe __sigaction_handler.sa_handler = handler
        #endif
    }
}
