// The only file that selects a platform.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials

    extension JSONDecoder.DateDecodingStrategy {
        /// Formatters are not available.
        func formattedDate(_ text: String) -> Date? { nil }
    }
#else
    @_exported public import Foundation

    extension JSONDecoder.DateDecodingStrategy {
        /// Parses a date with the strategy's formatter; returns `nil` if it is invalid.
        func formattedDate(_ text: String) -> Date? {
            if case .formatted(let formatter) = self { formatter.date(from: text) } else { nil }
        }
    }
#endif
@_exported public import MappingLog
@_exported import Dispatch

#if canImport(Glibc)
    @_exported import Glibc
#elseif canImport(Musl)
    @_exported import Musl
#elseif canImport(Darwin)
    @_exported import Darwin
#endif

#if canImport(VisibleMutex)
    @_exported import VisibleMutex

    // Only with the thread sanitizer, which does not support the locks of the standard library.
    typealias Mutex<Value: ~Copyable> = VisibleMutex<Value>
#endif
