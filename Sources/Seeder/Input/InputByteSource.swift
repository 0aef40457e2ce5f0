import ObjectMapping
import ObjectStore

/// The raw bytes of a dump, read at a separate offset.
final class InputByteSource: ByteSource {
    let descriptor: Descriptor
    private let name: String
    /// The expected state of the file while it is read; `nil` if it cannot change.
    private let stamp: FileStamp?
    /// Receives the number of bytes of each read.
    var meter: ProgressMeter?
    private var offset = 0

    init(_ descriptor: Descriptor, name: String, stamp: FileStamp?) {
        self.descriptor = descriptor
        self.name = name
        self.stamp = stamp
    }

    func read(into buffer: MutableByteView) throws -> Int {
        // Checking between elements is not sufficient: an element can be as large as the dump.
        try checkInterruption()
        let count = try buffer.withMutableRawSpan { try descriptor.readBytes(into: &$0, at: offset, name: name) }
        offset += count
        meter?.count(count)
        if let stamp, count == 0 || offset > stamp.size { try checkStamp() }
        return count
    }

    /// Throws if the file has changed since the start of the build.
    func checkStamp() throws(SeedError) {
        if let change = stamp?.change(of: descriptor, name: name, readTo: offset) { throw change }
    }
}
