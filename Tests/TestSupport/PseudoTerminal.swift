import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A terminal that records its output.
///
/// ```swift
/// let terminal = try PseudoTerminal(columns: 80)
/// let result = try runShell("seed-db build seed.json -o seed.sqlite 2>\(terminal.path)")
/// #expect(terminal.written.contains("100 %"))
/// ```
public final class PseudoTerminal: Sendable {
    /// The device that a process writes to.
    public let path: String
    private let controller: Int32
    /// Open, so that the terminal exists until it is released.
    private let device: Int32
    private let text = Mutex<[UInt8]>([])

    /// Creates a terminal of a width.
    public init(columns: Int) throws {
        controller = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        guard controller >= 0, let path = devicePath(of: controller) else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ENXIO)
        }
        self.path = path
        device = open(path, O_RDWR | O_NOCTTY)
        resize(columns: columns)
        _ = fcntl(controller, F_SETFL, O_NONBLOCK)
        _ = fcntl(controller, F_SETFD, FD_CLOEXEC)
        _ = fcntl(device, F_SETFD, FD_CLOEXEC)
        // A terminal buffers few bytes before its writer blocks.
        Thread.detachNewThread { [weak self] in
            while let self {
                collect()
                usleep(2000)
            }
        }
    }

    deinit {
        close(device)
        close(controller)
    }

    /// Changes the width of the terminal.
    public func resize(columns: Int) {
        var size = winsize(ws_row: 25, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
    }

    /// The output so far.
    public var written: String {
        collect()
        return text.withLock { String(decoding: $0, as: UTF8.self) }
    }

    private func collect() {
        text.withLock { text in
            var buffer = [UInt8](repeating: 0, count: 4096)
            while case let count = read(controller, &buffer, buffer.count), count > 0 { text += buffer[..<count] }
        }
    }
}

/// Unlocks the device of a terminal and returns its path.
private func devicePath(of controller: Int32) -> String? {
    #if canImport(Glibc)
        // The requests TIOCSPTLCK and TIOCGPTN, which Swift does not import.
        var (lock, number): (Int32, UInt32) = (0, 0)
        guard ioctl(controller, 0x4004_5431, &lock) == 0, ioctl(controller, 0x8004_5430, &number) == 0 else {
            return nil
        }
        return "/dev/pts/\(number)"
    #else
        guard grantpt(controller) == 0, unlockpt(controller) == 0 else { return nil }
        return ptsname(controller).map { String(cString: $0) }
    #endif
}
