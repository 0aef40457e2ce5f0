// The one place that chooses between platforms.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials

    extension JSONDecoder.DateDecodingStrategy {
        /// There are no formatters here.
        func formattedDate(_ text: String) -> Date? { nil }
    }
#else
    @_exported public import Foundation

    extension JSONDecoder.DateDecodingStrategy {
        /// The date of a text by the strategy's formatter; nil if it is none.
        func formattedDate(_ text: String) -> Date? {
            if case .formatted(let formatter) = self { formatter.date(from: text) } else { nil }
        }
    }
#endif
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

    // Only under the thread sanitizer, which does not see the locks of Swift's own.
    typealias Mutex<Value: ~Copyable> = VisibleMutex<Value>
#endif
