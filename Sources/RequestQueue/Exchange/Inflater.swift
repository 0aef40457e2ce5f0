import CZlib

/// One content coding undone by zlib: gzip of one member or several (RFC 1952), or deflate, with zlib's frame (RFC 1950)
/// as it should be or without it (RFC 1951) as some servers send it.
final class Inflater {
    enum Coding: String {
        case gzip, deflate

        init?(name: String) {
            switch name {
            case "gzip", "x-gzip": self = .gzip
            case "deflate": self = .deflate
            default: return nil
            }
        }
    }

    private enum State { case start, member, between }

    private let coding: Coding
    /// zlib remembers the address.
    private let stream: UnsafeMutablePointer<z_stream>
    private var state = State.start
    private var isOpen = false
    private var inputCount: Int64 = 0

    init(_ coding: Coding) {
        self.coding = coding
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        if isOpen { inflateEnd(stream) }
        stream.deallocate()
    }

    /// Takes from the input and fills the output.
    ///
    /// - Returns: Bytes of output; 0 when the input is used up.
    func inflate(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(TransportFailure) -> Int {
        while true {
            if state != .member {
                guard let first = input.first else { return 0 }
                try begin(with: first)
            }
            let room = UInt32(clamping: output.count)
            let available = UInt32(clamping: input.count)
            // zlib only reads from there.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
            stream.pointee.avail_in = available
            stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = room
            let code = CZlib.inflate(stream, Z_NO_FLUSH)
            let taken = Int(available - stream.pointee.avail_in)
            input = UnsafeRawBufferPointer(rebasing: input[taken...])
            inputCount += Int64(taken)
            switch code {
            case Z_STREAM_END: state = .between
            case Z_OK, Z_BUF_ERROR: break
            case Z_MEM_ERROR: throw damage("out of memory")
            default: throw damage(stream.pointee.msg.map { String(cString: $0) } ?? "zlib says \(code)")
            }
            let count = Int(room - stream.pointee.avail_out)
            if count > 0 || code == Z_BUF_ERROR || (input.isEmpty && state == .member) { return count }
        }
    }

    /// Throws if the end came before its time; nothing at all is an empty body.
    func finish() throws(TransportFailure) {
        if state == .member { throw damage("it ends too early") }
    }

    /// Opens what begins with a byte: the body, or another member behind the end of one.
    private func begin(with first: UInt8) throws(TransportFailure) {
        if isOpen {
            guard coding == .gzip, first == 0x1F else { throw damage("something else follows it") }
            inflateReset(stream)
        } else {
            // 15 is the largest window, 16 asks for gzip's frame, a negative one for none; zlib's begins with an 8, and a
            // deflated block does not.
            let bits: Int32 = coding == .gzip ? 15 + 16 : first & 0x0F == 8 ? 15 : -15
            let code = inflateInit2_(stream, bits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
            guard code == Z_OK else { throw damage("zlib does not start (\(code))") }
            isOpen = true
        }
        state = .member
    }

    private func damage(_ what: String) -> TransportFailure {
        TransportFailure(
            .undecodableResponse, "the response is no sound \(coding.rawValue): \(what), at byte \(inputCount)")
    }
}
