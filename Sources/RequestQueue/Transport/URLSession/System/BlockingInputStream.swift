#if URLSESSION && !canImport(Darwin)
    /// Whether a stream can have a declared length: with Foundation on Linux, it would be sent together with chunks (RFC
    /// 9112 §6.2).
    let declaresStreams = false

    /// Creates a stream for URLSession on Linux, which reads it on a single thread for all sessions.
    func makeInputStream(reading body: BlockingBody) -> InputStream? { BlockingInputStream(body) }

    /// A stream that blocks until bytes are available, because URLSession takes a stream without bytes for its end.
    private final class BlockingInputStream: InputStream {
        private let body: BlockingBody
        private var status = Stream.Status.notOpen

        init(_ body: BlockingBody) {
            self.body = body
            super.init(data: Data())
        }

        override var streamStatus: Stream.Status { status }
        override var streamError: (any Error)? { nil }
        override var hasBytesAvailable: Bool { status == .open }
        override func open() { status = .open }

        override func close() {
            status = .closed
            body.stop()
        }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
            var bytes = unsafe MutableRawSpan(_unsafeStart: buffer, byteCount: maxLength)
            guard let count = body.read(into: &bytes) else {
                status = .error
                return -1
            }
            if count == 0 { status = .atEnd }
            return count
        }

        override func getBuffer(
            _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length: UnsafeMutablePointer<Int>
        ) -> Bool { false }
    }
#endif
