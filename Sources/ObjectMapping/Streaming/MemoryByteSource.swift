/// Bytes in memory.
package struct MemoryByteSource<Bytes: ContiguousBytes>: ByteSource {
    private let bytes: Bytes
    private var offset = 0

    package init(_ bytes: Bytes) { self.bytes = bytes }

    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try Task.checkCancellation()
        let start = offset
        let count = bytes.withUnsafeBytes { bytes in
            let count = min(buffer.count, bytes.count - start)
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
            return count
        }
        offset += count
        return count
    }
}
