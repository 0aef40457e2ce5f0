/// The bytes of a file that is read whole; throws `inputMissing` if it cannot be.
package func readBytes(of path: String) throws(SeedError) -> [UInt8] {
    let descriptor = path == "-" ? .standardInput : try Descriptor(reading: path)
    if let mode = descriptor.status?.st_mode, mode & S_IFMT == S_IFDIR {
        throw .system(.inputMissing, "cannot read", path, code: EISDIR)
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var bytes: [UInt8] = []
    while case let count = try descriptor.readNext(into: buffer, name: path), count > 0 { bytes += buffer[..<count] }
    return bytes
}
