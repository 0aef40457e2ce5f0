import ObjectMapping
import ObjectStore

/// The bytes of a dump as they lie on the disk, read at an offset of its own.
final class InputByteSource: ByteSource {
    let descriptor: Descriptor
    private let name: String
    /// What the file has to be as long as it is read; nil if nobody else can write to it.
    private let stamp: FileStamp?
    /// Told how many bytes each read brings.
    var meter: ProgressMeter?
    private var offset = 0

    init(_ descriptor: Descriptor, name: String, stamp: FileStamp?) {
        self.descriptor = descriptor
        self.name = name
        self.stamp = stamp
    }

    func read(into buffer: MutableByteView) throws -> Int {
        // Between two elements is not enough: one may be as large as the dump.
        try checkInterruption()
        let count = try buffer.withMutableRawSpan { try descriptor.readBytes(into: &$0, at: offset, name: name) }
        offset += count
        meter?.count(count)
        if let stamp, count == 0 || offset > stamp.size { try checkStamp() }
        return count
    }

    /// Throws if the file is no longer what it was when the build began.
    func checkStamp() throws(SeedError) {
        if let change = stamp?.change(of: descriptor, name: name, readTo: offset) { throw change }
    }
}
