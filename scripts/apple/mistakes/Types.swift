// What compiles on Linux, and not on Apple platforms. The check has to report each line with the comment `error`, if systems
// are named only for these, and no other line.
import Dispatch
import Foundation
import Network
import Security
import Synchronization
import Testing

// Newer than the oldest supported systems.
func availability() {
    _ = [1].span  // error
    _ = ContiguousArray([1]).span
    _ = InlineArray<2, Int>(repeating: 0)  // error
    _ = "a".utf8Span  // error
    _ = URL.Template("a")  // error
    _ = DateComponents.ISO8601FormatStyle()  // error
    _ = Date.ISO8601FormatStyle()
    _ = Locale.preferredLocales  // error
    _ = String.Encoding(ianaName: "utf-8")  // error
    _ = Data.Base64EncodingOptions.base64URLAlphabet  // error
    _ = Mutex(1)
    if #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) { _ = [1].span }
}

// Only on Linux, or not on devices.
func systemCalls() {
    _ = epoll_create1(0)  // error
    _ = Glibc.getpid()  // error
    _ = Process()  // error: iOS, watchOS, tvOS, visionOS
    _ = fork()  // error: watchOS, tvOS
    _ = getpid()
}

// The number of bits, and types that depend on the system.
func types(_ file: stat) {
    let _: Int32 = file.st_mode  // error
    let _: UInt16 = file.st_mode
    _ = file.st_mtim  // error
    _ = file.st_mtimespec
}

// A delegate whose method differs from the optional requirement of Objective-C would not be called.
final class Delegate: NSObject, URLSessionDataDelegate {}  // error

// Isolation.
final class Box { var value = 1 }
func isolation(_ box: Box, _ monitor: NWPathMonitor) {
    DispatchQueue.global().async { box.value += 1 }  // error
    monitor.pathUpdateHandler = { _ in box.value += 1 }  // error
    _ = [NSURLErrorDomain, NSPOSIXErrorDomain]
    Task { @MainActor in mainActor() }
    mainActor()  // error
}
@MainActor func mainActor() {}

// Unsafe code.
func memory(_ pointer: UnsafePointer<Int>) -> Int {
    pointer.pointee  // error
}
