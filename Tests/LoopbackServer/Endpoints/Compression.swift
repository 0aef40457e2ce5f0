import CMappingZlib

/// Compresses with zlib, as far as the endpoints need it.
enum Compression {
    /// The container of the compressed bytes, as zlib's window bits.
    enum Format: Int32 {
        case gzip = 31
        case zlib = 15
        case raw = -15
    }

    static func compress(_ bytes: [UInt8], _ format: Format) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, format.rawValue, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        return deflate(bytes, &stream, Z_FINISH)
    }

    /// A small gzip of `count` zero bytes, or up to a MiB more.
    static func bomb(_ count: Int) -> [UInt8] {
        // After a full flush a piece is independent: one is compressed, and repeated.
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        var stream = z_stream()
        deflateInit2_(
            &stream, Z_BEST_COMPRESSION, Z_DEFLATED, Format.raw.rawValue, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        let piece = deflate(zeros, &stream, Z_FULL_FLUSH)
        deflateEnd(&stream)
        let pieceChecksum = crc32(0, zeros, UInt32(zeros.count))
        var output: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]
        var checksum = crc32(0, nil, 0)
        let pieces = (count + zeros.count - 1) / zeros.count
        for _ in 0..<pieces {
            output += piece
            checksum = crc32_combine(checksum, pieceChecksum, numericCast(zeros.count))
        }
        // An empty last block, and the end of a gzip: the checksum and the size modulo 2^32.
        output += [3, 0]
        for number in [UInt32(truncatingIfNeeded: checksum), UInt32(truncatingIfNeeded: pieces * zeros.count)] {
            output += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        return output
    }

    private static func deflate(_ bytes: [UInt8], _ stream: inout z_stream, _ flush: Int32) -> [UInt8] {
        var input = bytes
        return input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            let room = Int(deflateBound(&stream, UInt(input.count))) + 64
            return [UInt8](unsafeUninitializedCapacity: room) { output, count in
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(room)
                CMappingZlib.deflate(&stream, flush)
                count = room - Int(stream.avail_out)
            }
        }
    }
}
