import ObjectMapping

/// The bytes of a dump, read at an offset of its own so that several readers may share a descriptor.
struct InputByteSource: ByteSource {
    let descriptor: Descriptor
    let name: String
    private var offset = 0

    init(descriptor: Descriptor, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        // Between two elements is not enough: one may be as large as the dump.
        try checkInterruption()
        let count = try descriptor.readBytes(into: buffer, at: offset, name: name)
        offset += count
        return count
    }
}
