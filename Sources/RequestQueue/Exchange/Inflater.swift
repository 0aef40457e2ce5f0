import CZlib
import Inflation

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
    /// Nil before the first byte.
    private var stream: InflateStream?
    private var state = State.start
    private var inputCount: Int64 = 0

    init(_ coding: Coding) { self.coding = coding }

    /// Takes from the input and fills the output.
    ///
    /// - Returns: Bytes taken from the input, and bytes of output; 0 of these when the input is used up.
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
            default: throw damage(stream.message ?? "zlib says \(step.code)")
            }
            let isInputUsedUp = taken == input.byteCount && state == .member
            if step.count > 0 || step.code == Z_BUF_ERROR || isInputUsedUp { return (taken, step.count) }
        }
    }

    /// Throws if the end came before its time; nothing at all is an empty body.
    func finish() throws(TransportFailure) {
        if state == .member { throw damage("it ends too early") }
    }

    /// Opens what begins with a byte: the body, or another member behind the end of one.
    private func begin(with first: UInt8) throws(TransportFailure) {
        if let stream {
            guard coding == .gzip, first == 0x1F else { throw damage("something else follows it") }
            stream.reset()
        } else {
            // 15 is the largest window, 16 asks for gzip's frame, a negative one for none; zlib's begins with an 8, and a
            // deflated block does not.
            let bits: Int32 = coding == .gzip ? 15 + 16 : first & 0x0F == 8 ? 15 : -15
            let (stream, code) = InflateStream.start(windowBits: bits)
            guard let stream else { throw damage("zlib does not start (\(code))") }
            self.stream = stream
        }
        state = .member
    }

    private func damage(_ what: String) -> TransportFailure {
        TransportFailure(
            .undecodableResponse, "the response is no sound \(coding.rawValue): \(what), at byte \(inputCount)")
    }
}
