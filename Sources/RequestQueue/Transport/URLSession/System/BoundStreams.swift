#if URLSESSION && canImport(Darwin)
    /// Whether a stream can have a declared length, with the `Content-Length` field of its request.
    let declaresStreams = true

    /// Creates a stream for URLSession on Apple platforms: one end of a pipe that a thread fills.
    func makeInputStream(reading body: BlockingBody) -> InputStream? {
        var input: InputStream?
        var output: OutputStream?
        unsafe Stream.getBoundStreams(withBufferSize: 256 << 10, inputStream: &input, outputStream: &output)
        guard let input, let output else { return nil }
        body.writer = output
        let pump = BodyPump(body, output)
        let thread = Thread { pump.run() }
        thread.stackSize = 512 << 10
        thread.start()
        return input
    }

    /// Unchecked: only its thread uses it.
    private final class BodyPump: @unchecked Sendable {
        private let body: BlockingBody
        private let output: OutputStream

        init(_ body: BlockingBody, _ output: OutputStream) {
            self.body = body
            self.output = output
        }

        /// Fills the pipe until the end of the body.
        ///
        /// Closing the pipe ends the body normally: a body of unknown length would look complete to the server. If it
        /// fails, the pipe remains open until URLSession has reported the end of the cancelled task.
        func run() {
            output.open()
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while let count = buffer.withMutableRawSpan({ body.read(into: &$0) }) {
                if count == 0 { return output.close() }
                var rest = buffer[..<count]
                while !rest.isEmpty {
                    let written = unsafe rest.withUnsafeBufferPointer { rest in
                        unsafe rest.baseAddress.map { unsafe output.write($0, maxLength: rest.count) } ?? 0
                    }
                    guard written > 0 else { return }
                    rest = rest.dropFirst(written)
                }
            }
        }
    }
#endif
