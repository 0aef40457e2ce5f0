/// Received bytes that are not read yet; used by one thread.
final class InputBuffer {
    private let socket: Int32
    private var storage = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 16)
    private var start = 0
    private var end = 0

    init(socket: Int32) { self.socket = socket }

    deinit { storage.deallocate() }

    /// The unread bytes; valid until the next ``fill()``.
    var unread: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[start..<end]) }

    func consume(_ count: Int) { start += count }

    /// Allocates space for large pieces.
    func reserve(_ capacity: Int) {
        guard capacity > storage.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
        larger.copyMemory(from: unread)
        storage.deallocate()
        storage = larger
        (start, end) = (0, end - start)
    }

    /// Waits for more bytes; false at the end.
    func fill() -> Bool {
        if start == end {
            (start, end) = (0, 0)
        } else if end == storage.count {
            if start == 0 { reserve(2 * storage.count) }
            storage.copyMemory(from: unread)
            (start, end) = (0, end - start)
        }
        let count = receive(from: socket, into: UnsafeMutableRawBufferPointer(rebasing: storage[end...]))
        end += count
        return count > 0
    }

    /// The next line without its CRLF; nil if the connection ends before it.
    ///
    /// The bytes are valid until the next ``fill()``.
    func line(limit: Int) throws -> UnsafeRawBufferPointer? {
        var scanned = 0
        while true {
            let bytes = unread
            if let index = bytes.index(of: UInt8(ascii: "\n"), from: scanned) {
                guard index > 0, bytes[index - 1] == UInt8(ascii: "\r") else {
                    throw Malformed("a bare LF ends a line")
                }
                guard index <= limit else { throw Malformed("a line of more than \(limit) bytes") }
                consume(index + 1)
                return bytes.piece(0..<index - 1)
            }
            scanned = bytes.count
            guard scanned <= limit else { throw Malformed("a line of more than \(limit) bytes") }
            guard fill() else { return nil }
        }
    }
}
