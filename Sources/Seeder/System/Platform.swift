// The one place that chooses between Foundation's small and whole library; the C library comes with SystemCalls.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
@_exported import SystemCalls

/// The most memory that this process has held so far, in bytes.
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
