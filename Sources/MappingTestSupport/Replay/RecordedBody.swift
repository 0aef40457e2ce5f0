import RequestQueue
import Synchronization

/// The bytes that were read of a body when it was last sent.
final class RecordedBody: Sendable {
    /// Forwards the bytes of another stream and records them.
    final class Stream: BodyStream {
        private let stream: any BodyStream
        private let record: RecordedBody

        init(_ stream: any BodyStream, into record: RecordedBody) {
            self.stream = stream
            self.record = record
            record.bytes.withLock { $0 = Data() }
        }

        func read(into buffer: inout MutableRawSpan) throws -> BodyRead {
            let result = try stream.read(into: &buffer)
            if case .bytes(let count) = result {
                let piece = Data(copying: buffer.bytes.extracting(first: count))
                record.bytes.withLock { $0 += piece }
            }
            return result
        }

        func whenReadable(_ resume: @escaping @Sendable () -> Void) { stream.whenReadable(resume) }

        func parts(whenSent bytes: Int64) -> [RequestProgress.Part] { stream.parts(whenSent: bytes) }
    }

    private let bytes = Mutex(Data())

    var data: Data { bytes.withLock { $0 } }
}
