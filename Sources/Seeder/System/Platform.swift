// The only file that selects between FoundationEssentials and Foundation; the C library comes with MappingSystemCalls.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
@_exported import MappingSystemCalls

/// The peak memory of this process in bytes.
func peakMemory() -> Int {
    var usage = rusage()
    #if canImport(Darwin)
        unsafe getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss
    #else
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss * 1024
    #endif
}
