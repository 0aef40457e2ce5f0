import Synchronization

/// The stream of a multipart form: heads from memory, and contents from their own streams.
package final class MultipartStream: BodyStream {
    /// The position of a part's content in the body.
    private struct Extent: Sendable {
        let name: String
        var length: Int64?
        /// The offset of the content in the body, once it has been reached.
        var start: Int64?
    }

    private let form: MultipartForm
    /// The streams of the contents; each is released after it was read.
    private var streams: [(any BodyStream)?]
    /// Read by another thread to report progress; streams are never called while this lock is held.
    private let extents: Mutex<[Extent]>
    /// The index of the part that is being read.
    private var index = -1
    /// The text between two contents that is being read.
    private var text: DataStream?
    private var position: Int64 = 0

    package init(_ form: MultipartForm) throws {
        self.form = form
        streams = try form.parts.map { try $0.makeStream() }
        extents = Mutex(form.parts.map { Extent(name: $0.name, length: $0.contentLength) })
    }

    package func read(into buffer: inout MutableRawSpan) throws -> BodyRead {
        var filled = 0
        loop: while filled < buffer.byteCount {
            var rest = buffer._mutatingExtracting(droppingFirst: filled)
            switch try readPiece(into: &rest) {
            case .bytes(let count):
                filled += count
                position += Int64(count)
            case .wait:
                if filled == 0 { return .wait }
                break loop
            case .end: break loop
            }
        }
        return filled > 0 ? .bytes(filled) : .end
    }

    /// Reads from a single text or content.
    private func readPiece(into buffer: inout MutableRawSpan) throws -> BodyRead {
        while true {
            if let text {
                let read = try text.read(into: &buffer)
                guard read == .end else { return read }
                self.text = nil
                if index < streams.count { extents.withLock { $0[index].start = position } }
            } else if index >= 0, index < streams.count, let stream = streams[index] {
                let read = try stream.read(into: &buffer)
                guard read == .end else { return read }
                streams[index] = nil
                extents.withLock { $0[index].length = position - ($0[index].start ?? position) }
            } else if index < streams.count {
                index += 1
                let text = index < streams.count ? form.opening(of: index) : form.closing
                self.text = DataStream(Data(text.utf8))
            } else {
                return .end
            }
        }
    }

    package func whenReadable(_ resume: @escaping @Sendable () -> Void) {
        guard streams.indices.contains(index), let stream = streams[index] else { return resume() }
        stream.whenReadable(resume)
    }

    package func parts(whenSent bytes: Int64) -> [RequestProgress.Part] {
        extents.withLock { $0 }.map { part in
            let sent = max(0, min(bytes - (part.start ?? bytes), part.length ?? .max))
            return RequestProgress.Part(name: part.name, bytesSent: sent, bytesExpected: part.length)
        }
    }
}
