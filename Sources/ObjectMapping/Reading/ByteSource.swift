/// Where the bytes of a text come from, in order.
package protocol ByteSource {
    /// Reads some bytes; 0 only at the end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}
