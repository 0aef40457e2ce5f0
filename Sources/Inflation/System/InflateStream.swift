import CZlib

/// A stream of zlib that inflates bytes.
///
/// Safe: zlib remembers the stream's address, which stays the same until `deinit`; the addresses of the buffers are set
/// by each call and used in it alone; and no call is made before `inflateInit2_` has succeeded.
@safe package final class InflateStream {
    /// What a call did.
    package struct Step {
        /// zlib's code, such as `Z_OK`.
        package let code: Int32
        /// Bytes taken from the input, and bytes written to the output.
        package let taken, count: Int
    }

    private let stream: UnsafeMutablePointer<z_stream>

    /// Starts zlib.
    ///
    /// - Parameter windowBits: As `inflateInit2` takes it.
    /// - Returns: The stream, or zlib's code if that fails.
    package static func start(windowBits: Int32) -> (stream: InflateStream?, code: Int32) {
        let memory = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe memory.initialize(to: z_stream())
        let code = unsafe inflateInit2_(memory, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        if code == Z_OK { return (unsafe InflateStream(memory), code) }
        unsafe memory.deallocate()
        return (nil, code)
    }

    private init(_ stream: UnsafeMutablePointer<z_stream>) { unsafe self.stream = unsafe stream }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Begins again, with the same kind of frame.
    package func reset() { unsafe inflateReset(stream) }

    /// Takes from the input and fills the output.
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

    /// What zlib says about its last error; nil if it says nothing.
    package var message: String? { unsafe stream.pointee.msg.map { unsafe String(cString: $0) } }
}
