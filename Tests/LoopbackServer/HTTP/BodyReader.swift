import MappingDigests

/// Reads the body of one request in pieces; its memory does not grow with the body.
final class BodyReader {
    private enum Place {
        case beforeChunk
        case inside(Int)
        case behindChunk
        case end
    }

    /// Bytes read so far.
    private(set) var count = 0
    /// The SHA-256 of the body in lower-case hexadecimal, available at its end; nil if it is not computed.
    private(set) lazy var sha256 = isHashed ? digest.finalizeHex() : nil
    /// The fields after the last chunk.
    private(set) var trailers: [Header] = []
    /// Whether to compute the digest of the body.
    var isHashed = true

    private let input: InputBuffer
    private let framing: BodyFraming
    private var place: Place
    /// Created when there is something to digest: most requests have no body.
    private lazy var digest = SHA256()
    private static let pieceSize = 256 * 1024

    init(_ framing: BodyFraming, from input: InputBuffer) {
        self.framing = framing
        self.input = input
        switch framing {
        case .none, .contentLength(0): place = .end
        case .contentLength(let length): place = .inside(length)
        case .chunked: place = .beforeChunk
        }
        if case .inside(let length) = place { input.reserve(min(length, Self.pieceSize)) }
        if case .beforeChunk = place { input.reserve(Self.pieceSize) }
    }

    /// Whether the whole body was read.
    var isAtEnd: Bool { if case .end = place { true } else { false } }

    /// Returns the next bytes, which are valid until the next call; nil after the last.
    func next(atMost limit: Int = pieceSize) throws -> UnsafeRawBufferPointer? {
        while true {
            switch place {
            case .end: return nil
            case .beforeChunk: try beginChunk()
            case .inside(let rest): return try take(min(limit, rest), of: rest)
            case .behindChunk:
                guard try line().isEmpty else { throw Malformed("a chunk longer than its size") }
                place = .beforeChunk
            }
        }
    }

    private func take(_ wanted: Int, of rest: Int) throws -> UnsafeRawBufferPointer {
        if input.unread.isEmpty, !input.fill() { throw ConnectionEnd.over }
        let piece = input.unread.piece(0..<min(wanted, input.unread.count))
        input.consume(piece.count)
        count += piece.count
        if isHashed { digest.update(RawSpan(_unsafeBytes: piece)) }
        place = piece.count < rest ? .inside(rest - piece.count) : framing == .chunked ? .behindChunk : .end
        return piece
    }

    private func beginChunk() throws {
        let line = try line()
        let digits = line.piece(0..<(line.index(of: UInt8(ascii: ";")) ?? line.count))
        let size = digits.reduce(into: UInt?.some(0)) { size, byte in
            size = hexadecimalDigit(byte).flatMap { digit in size.map { $0 << 4 | UInt(digit) } }
        }
        guard let size, 1...15 ~= digits.count else { throw Malformed("a chunk size that is no number") }
        if size > 0 {
            place = .inside(Int(size))
        } else {
            while case let line = try self.line(), !line.isEmpty { trailers.append(try Grammar.field(line)) }
            place = .end
        }
    }

    private func line() throws -> UnsafeRawBufferPointer {
        guard let line = try input.line(limit: 64 * 1024) else { throw ConnectionEnd.over }
        return line
    }
}
