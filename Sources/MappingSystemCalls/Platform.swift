// The only file that selects a C library.
#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif

/// Waits until the bytes of a file are on the disk, if the system has a call for that other than `fsync`.
///
/// On Apple platforms, `fsync` does not wait until the drive has written its cache.
func flushToDisk(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
        fcntl(descriptor, F_FULLFSYNC) == 0
    #else
        false
    #endif
}

extension stat {
    /// The time of the last modification; the name of the C property depends on the system.
    package var modificationTime: timespec {
        #if canImport(Darwin)
            st_mtimespec
        #else
            st_mtim
        #endif
    }
}
