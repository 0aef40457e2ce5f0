// The one place that chooses between Foundation's small and whole library, and between C libraries.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
#if canImport(Glibc)
@_exported package import Glibc
#elseif canImport(Musl)
@_exported package import Musl
#elseif canImport(Darwin)
@_exported package import Darwin
#endif
