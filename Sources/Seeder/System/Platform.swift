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

extension stat {
    /// When the file's bytes were changed last.
    var modificationTime: timespec {
        #if canImport(Darwin)
            st_mtimespec
        #else
            st_mtim
        #endif
    }
}

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
