import CMappingZlib
import RequestQueue

/// Bytes compressed by zlib: `windowBits` 15 with zlib's frame, -15 without one, 31 with gzip's.
func compressed(_ bytes: some Sequence<UInt8>, windowBits: Int32 = 31) -> [UInt8] {
    var input = Array(bytes)
    var stream = z_stream()
    deflateInit2_(
        &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size))
    defer { deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))) + 64)
    let count = input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(output.count)
            deflate(&stream, Z_FINISH)
            return Int(stream.total_out)
        }
    }
    return Array(output[..<count])
}
