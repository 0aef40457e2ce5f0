/// A multipart form being sent: heads from memory, contents from their own streams, into buffers of any size.
package final class MultipartStream: BodyStream {
    private struct Part {
        let name: String
        /// The stream of the content; it goes when it was read.
        var stream: (any BodyStream)?
        var length: Int64?
        /// Bytes of the body before the content, once it has begun.
        var start: Int64?
    }

    private let form: MultipartForm
    private var parts: [Part]
    /// The part whose head or content is read.
    private var index = -1
    /// Text between contents that is being read.
    private var text: DataStream?
    private var position: Int64 = 0

    package init(_ form: MultipartForm) throws {
        self.form = form
        parts = try form.parts.map { part in
            Part(name: part.name, stream: try part.makeStream(), length: part.contentLength)
        }
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

    /// Reads from one text or one content only.
    private func readPiece(into buffer: inout MutableRawSpan) throws -> BodyRead {
        while true {
            if let text {
                let read = try text.read(into: &buffer)
                guard read == .end else { return read }
                self.text = nil
                if index < parts.count { parts[index].start = position }
            } else if index >= 0, index < parts.count, let stream = parts[index].stream {
                let read = try stream.read(into: &buffer)
                guard read == .end else { return read }
                parts[index].stream = nil
                parts[index].length = position - (parts[index].start ?? position)
            } else if index < parts.count {
                index += 1
                let text = index < parts.count ? form.opening(of: index) : form.closing
                self.text = DataStream(Data(text.utf8))
            } else {
                return .end
            }
        }
    }

    package func whenReadable(_ resume: @escaping @Sendable () -> Void) {
        guard parts.indices.contains(index), let stream = parts[index].stream else { return resume() }
        stream.whenReadable(resume)
    }

    package func parts(whenSent bytes: Int64) -> [RequestProgress.Part] {
        parts.map { part in
            let sent = max(0, min(bytes - (part.start ?? bytes), part.length ?? .max))
            return RequestProgress.Part(name: part.name, bytesSent: sent, bytesExpected: part.length)
        }
    }
}
