import Foundation
import ObjectMapping

/// A text at the end of readable memory: reading a byte too far crashes.
final class GuardedText: JSONInput {
    private let start: UnsafeMutableRawPointer
    private let size: Int
    private let count: Int

    init(_ bytes: some Collection<UInt8>) throws {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        count = bytes.count
        size = (count + page - 1) / page * page + page
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED, mprotect(memory + (size - page), page, PROT_NONE) == 0 else {
            throw CocoaError(.fileReadUnknown)
        }
        start = memory
        UnsafeMutableRawBufferPointer(start: memory + (size - page - count), count: count).copyBytes(from: bytes)
        mprotect(memory, size - page, PROT_READ)
    }

    convenience init(_ text: String) throws { try self.init(Array(text.utf8)) }

    deinit { munmap(start, size) }

    func withJSONBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        return try body(UnsafeRawBufferPointer(start: start + (size - page - count), count: count))
    }
}
