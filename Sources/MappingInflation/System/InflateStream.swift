import CMappingZlib

/// A zlib stream that decompresses bytes.
///
/// Safe: zlib stores the stream's address, which is constant until `deinit`; the addresses of the buffers are set by
/// each call and used only during it; and no call is made before `inflateInit2_` succeeds.
@safe package final class InflateStream {
    /// The result of a call.
    package struct Step {
        /// The result code of zlib, such as `Z_OK`.
        package let code: Int32
        /// The number of bytes read from the input, and of bytes written to the output.
        package let taken, count: Int
    }

    private let stream: UnsafeMutablePointer<z_stream>

    /// Creates a stream.
    ///
    /// - Parameter windowBits: The argument of `inflateInit2`.
    /// - Returns: The stream, or zlib's error code.
    package static func start(windowBits: Int32) -> (stream: InflateStream?, code: Int32) {
        let memory = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe memory.initialize(to: z_stream())
        let code = unsafe inflateInit2_(memory, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        if code == Z_OK { return (unsafe InflateStream(memory), code) }
        unsafe memory.deallocate()
        return (nil, code)
    }

    private init(_ stream: UnsafeMutablePointer<z_stream>) { unsafe self.stream = stream }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Resets the stream, with the same container format.
    package func reset() { unsafe inflateReset(stream) }

    /// Decompresses input into the output.
    package func inflate(_ input: RawSpan, into output: inout MutableRawSpan) -> Step {
        unsafe output.withUnsafeMutableBytes { output in
            unsafe input.withUnsafeBytes { input in
                let room = UInt32(clamping: output.count)
                let available = UInt32(clamping: input.count)
                let code = unsafe mk_inflate(stream, input.baseAddress, available, output.baseAddress, room)
                return unsafe Step(
                    code: code, taken: Int(available - stream.pointee.avail_in),
                    count: Int(room - stream.pointee.avail_out))
            }
        }
    }

    /// zlib's message for the last error; `nil` if zlib reported no message.
    package var message: String? { unsafe stream.pointee.msg.map { unsafe String(cString: $0) } }
}
