import CZlib
import ObjectMapping

/// The text of a gzip file, of one member or several (RFC 1952), inflated straight into the reader's window.
///
/// What is not gzip from the first byte to the last is bad data, told with its place in the file and in the text; only
/// zeros may follow the last member, as tapes leave them.
final class GzipByteSource: ByteSource {
    private enum State { case start, member, between, padding, ended }

    private var file: any ByteSource
    private let name: String
    private let longestText: Int
    /// zlib remembers the address.
    private let stream: UnsafeMutablePointer<z_stream>
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var state = State.start
    /// Bytes taken from the file, and bytes of text made of them.
    private var fileCount = 0
    private var textCount = 0
    private var isFileAtEnd = false

    /// - Parameters:
    ///   - name: The file as it stands in messages.
    ///   - longestText: How many bytes of text are believed; more are an error.
    init(_ file: any ByteSource, name: String, longestText: Int) throws(SeedError) {
        self.file = file
        self.name = name
        self.longestText = longestText
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 is the window of 32 KB that gzip uses, 16 asks for gzip's header and checksum.
        let code = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw SeedError(.inputOutput, "cannot read \(name): zlib does not start (\(code))") }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        buffer.deallocate()
    }

    func read(into text: UnsafeMutableRawBufferPointer) throws -> Int {
        let room = UInt32(clamping: text.count)
        stream.pointee.next_out = text.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = room
        while room > 0, stream.pointee.avail_out == room, state != .ended {
            if stream.pointee.avail_in == 0 { try fill() }
            switch state {
            case .start: try begin()
            case .member: try inflateMember()
            case .between: goOn()
            case .padding: try skipPadding()
            case .ended: break
            }
        }
        return Int(room - stream.pointee.avail_out)
    }

    private func fill() throws {
        guard !isFileAtEnd else { return }
        let count = try file.read(into: buffer)
        isFileAtEnd = count == 0
        fileCount += count
        stream.pointee.next_in = buffer.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_in = UInt32(count)
    }

    private var next: UInt8? { stream.pointee.avail_in > 0 ? stream.pointee.next_in.pointee : nil }

    private func begin() throws {
        guard let first = next else { throw damage("the file is empty") }
        guard first == Gzip.magic[0] else {
            throw damage("it does not begin as gzip does", advice: "If it is plain JSON, name it without '.gz'.")
        }
        state = .member
    }

    private func inflateMember() throws {
        let before = stream.pointee.avail_out
        let code = inflate(stream, Z_NO_FLUSH)
        textCount += Int(before - stream.pointee.avail_out)
        guard textCount <= longestText else {
            throw damage(
                "its text is longer than \(longestText) bytes, which is not believed of a file of this size",
                advice: "If it is meant to be so, unpack it first: gunzip.")
        }
        switch code {
        case Z_STREAM_END: state = .between
        case Z_OK: break
        case Z_BUF_ERROR:
            guard isFileAtEnd else { return }
            throw damage("the file ends inside of it", advice: "Copy it anew: the end is missing.")
        case Z_MEM_ERROR: throw SeedError(.inputOutput, "cannot read \(name): out of memory")
        default: throw damage(stream.pointee.msg.map { String(cString: $0) } ?? "zlib says \(code)")
        }
    }

    /// Behind a member: another one, zeros up to the end, or the end.
    private func goOn() {
        switch next {
        case nil: state = .ended
        case Gzip.magic[0]:
            inflateReset(stream)
            state = .member
        default: state = .padding
        }
    }

    private func skipPadding() throws {
        while let byte = next {
            guard byte == 0 else { throw damage("something else follows it") }
            stream.pointee.next_in += 1
            stream.pointee.avail_in -= 1
        }
        if isFileAtEnd { state = .ended }
    }

    private func damage(_ what: String, advice: String = "Copy it anew.") -> SeedError {
        let place = "byte \(fileCount - Int(stream.pointee.avail_in)) of the file, byte \(textCount) of its text"
        return SeedError(.badData, "\(name) is no sound gzip: \(what) (at \(place))", advice: advice)
    }
}
