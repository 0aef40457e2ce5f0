/// A stream of bytes in memory.
package final class DataStream: BodyStream {
    private let data: Data
    private var position = 0

    package init(_ data: Data) { self.data = data }

    package func read(into buffer: inout MutableRawSpan) throws -> BodyRead {
        let count = min(buffer.byteCount, data.count - position)
        guard count > 0 else { return .end }
        buffer.copy(data.bytes.extracting(position..<position + count))
        position += count
        return .bytes(count)
    }
}
