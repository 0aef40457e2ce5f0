/// A snapshot of ``Params`` that is sent as a multipart form (RFC 7578).
package struct MultipartForm: RequestSerializable, Sendable {
    package let parts: [MultipartPart]
    package let boundary: String

    package var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// The exact length; `nil` if a part is a stream of unknown length.
    package var contentLength: Int64? {
        var length = Int64(closing.utf8.count)
        for (index, part) in parts.enumerated() {
            guard let content = part.contentLength else { return nil }
            for count in [content, Int64(opening(of: index).utf8.count)] {
                let (sum, overflow) = length.addingReportingOverflow(count)
                guard !overflow else { return nil }
                length = sum
            }
        }
        return length
    }

    package func makeBodyStream() throws -> (any BodyStream)? {
        for part in parts { try part.check() }
        return try MultipartStream(self)
    }

    /// Returns the delimiter and the head of a part, including the line break before the delimiter.
    func opening(of index: Int) -> String {
        (index == 0 ? "--" : "\r\n--") + boundary + "\r\n" + parts[index].head
    }

    var closing: String { (parts.isEmpty ? "--" : "\r\n--") + boundary + "--\r\n" }
}

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

/// The boundary of a multipart body (RFC 2046 §5.1.1): 128 random bits, in characters that need no quotes.
package enum Boundary {
    package static func random() -> String { "MappingKit-" + randomHexadecimal() }

    /// Whether the boundary occurs in the data.
    ///
    /// Uses the Boyer-Moore-Horspool algorithm, which skips most bytes.
    package static func occurs(_ boundary: String, in data: Data) -> Bool {
        let needle = Array(boundary.utf8)
        let last = needle.count - 1
        guard last >= 0, data.count >= needle.count else { return false }
        var skips = [Int](repeating: needle.count, count: 256)
        for (index, byte) in needle.dropLast().enumerated() { skips[Int(byte)] = last - index }
        let bytes = data.bytes
        var end = last
        while end < bytes.byteCount {
            let byte = bytes.byte(at: end)
            if byte == needle[last], needle.indices.allSatisfy({ bytes.byte(at: end - last + $0) == needle[$0] }) {
                return true
            }
            end += skips[Int(byte)]
        }
        return false
    }
}

/// 128 random bits in 32 hexadecimal digits.
@Sendable func randomHexadecimal() -> String {
    (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16).padded(to: 16) }.joined()
}

extension String {
    /// The text with leading zeros.
    func padded(to count: Int) -> String { String(repeating: "0", count: count - utf8.count) + self }
}
