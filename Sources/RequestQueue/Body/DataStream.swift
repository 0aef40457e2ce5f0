/// A body of bytes in memory.
package final class DataStream: BodyStream {
    private let data: Data
    private var position = 0

    package init(_ data: Data) { self.data = data }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> BodyRead {
        let count = min(buffer.count, data.count - position)
        guard count > 0 else { return .end }
        data.withUnsafeBytes { bytes in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]))
        }
        position += count
        return .bytes(count)
    }
}
