import CMappingZlib
import MappingInflation

/// Decompresses one content coding with zlib.
///
/// It supports gzip with one or several members (RFC 1952), and deflate with the zlib header (RFC 1950) or, as some
/// servers send it, without it (RFC 1951).
final class Inflater {
    enum Coding: String {
        case gzip, deflate
    }

    private enum State { case start, member, between }

    private let coding: Coding
    /// Nil before the first byte.
    private var stream: InflateStream?
    private var state = State.start
    private var inputCount: Int64 = 0

    init(_ coding: Coding) { self.coding = coding }

    /// Consumes input and fills the output.
    ///
    /// - Returns: The number of bytes consumed and written; 0 bytes are written when the input is exhausted.
    func inflate(
        _ input: RawSpan, into output: inout MutableRawSpan
    ) throws(TransportFailure) -> (taken: Int, count: Int) {
        var taken = 0
        while true {
            let rest = input.extracting(droppingFirst: taken)
            if state != .member {
                if rest.isEmpty { return (taken, 0) }
                try begin(with: rest.byte(at: 0))
            }
            guard let stream else { return (taken, 0) }
            let step = stream.inflate(rest, into: &output)
            taken += step.taken
            inputCount += Int64(step.taken)
            switch step.code {
            case Z_STREAM_END: state = .between
            case Z_OK, Z_BUF_ERROR: break
            case Z_MEM_ERROR: throw damage("out of memory")
            default: throw damage(stream.message ?? "zlib error \(step.code)")
            }
            let isInputUsedUp = taken == input.byteCount && state == .member
            if step.count > 0 || step.code == Z_BUF_ERROR || isInputUsedUp { return (taken, step.count) }
        }
    }

    /// Throws an error if the data is incomplete; empty data is an empty body.
    func finish() throws(TransportFailure) {
        if state == .member { throw damage("unexpected end of data") }
    }

    /// Starts the body, or another gzip member after the end of one.
    private func begin(with first: UInt8) throws(TransportFailure) {
        if let stream {
            guard coding == .gzip, first == 0x1F else { throw damage("unexpected data after the end") }
            stream.reset()
        } else {
            // 15 is the largest window; adding 16 selects the gzip format, and a negative value selects no header. The
            // zlib header starts with a nibble of 8, unlike a deflated block.
            let bits: Int32 = coding == .gzip ? 15 + 16 : first & 0x0F == 8 ? 15 : -15
            let (stream, code) = InflateStream.start(windowBits: bits)
            guard let stream else { throw damage("zlib initialization failed (\(code))") }
            self.stream = stream
        }
        state = .member
    }

    private func damage(_ what: String) -> TransportFailure {
        TransportFailure(
            .undecodableResponse, "invalid \(coding.rawValue) data: \(what), at byte \(inputCount)")
    }
}
