import Digests

/// One part of a multipart form as it is sent: what an attachment was when a request took its snapshot.
package struct MultipartPart: Sendable {
    /// Where the bytes of a part come from.
    package enum Content: Sendable {
        case data(Data)
        case file(FileIdentity)
        case stream(StreamBody)
    }

    package let name: String
    package let fileName: String?
    package let mimeType: String?
    package let content: Content

    /// Bytes of the content, if they are known.
    var contentLength: Int64? {
        switch content {
        case .data(let data): Int64(data.count)
        case .file(let file): file.size
        case .stream(let stream): stream.contentLength
        }
    }

    /// The lines between the delimiter and the content, with the empty one.
    var head: String {
        var head = "Content-Disposition: form-data; name=\"\(Self.quoted(name))\""
        if let fileName { head += "; filename=\"\(Self.quoted(fileName))\"" }
        head += "\r\n"
        if let mimeType { head += "Content-Type: \(mimeType)\r\n" }
        return head + "\r\n"
    }

    /// Whether the head means to every server what is meant.
    ///
    /// - Throws: An error of kind `invalidBody`.
    func check() throws(RequestError) {
        try check(name, "the name")
        if let fileName {
            guard !fileName.isEmpty else {
                throw invalid("the file name is empty, and servers drop such a part")
            }
            try check(fileName, "the file name")
        }
        if let mimeType, !isContentType(mimeType) {
            throw invalid("the MIME type '\(printable(mimeType))' is none, as image/png is")
        }
        if let contentLength, contentLength < 0 { throw invalid("\(contentLength) bytes are declared") }
    }

    private func check(_ text: String, _ subject: String) throws(RequestError) {
        for scalar in text.unicodeScalars where scalar.value < 0x20 || scalar.value == 0x7f {
            guard scalar == "\r" || scalar == "\n" else {
                throw invalid("\(subject) '\(printable(text))' has a control character")
            }
        }
        if text.hasSuffix("\\") {
            throw invalid("\(subject) '\(printable(text))' ends with a backslash, which hides the quote after it")
        }
    }

    private func invalid(_ cause: String) -> RequestError {
        RequestError(.invalidBody, "attachment '\(printable(name))': \(cause)")
    }

    /// Names and file names as browsers write them (HTML Standard, multipart/form-data encoding): UTF-8, with the quote
    /// and the line ends percent-encoded and nothing else.
    private static func quoted(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "%22"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    func makeStream() throws -> any BodyStream {
        switch content {
        case .data(let data): return DataStream(data)
        case .file(let file): return CheckedStream(FileStream(file), length: file.size, subject: subject)
        case .stream(let body):
            return CheckedStream(try body.open(), length: body.contentLength, subject: subject)
        }
    }

    private var subject: String { "attachment '\(printable(name))'" }

    /// The content's MD5; that of a file is worked out in constant memory.
    func md5() throws(RequestError) -> String {
        var digest = MD5()
        switch content {
        case .data(let data): digest.update(data.bytes)
        case .file(let file):
            let reader = FileReader(file)
            var buffer = [UInt8](repeating: 0, count: min(256 << 10, Int(max(1, file.size))))
            while true {
                let count = try buffer.withMutableRawSpan { bytes throws(RequestError) in try reader.read(into: &bytes)
                }
                if count == 0 { break }
                buffer.withRawSpan { digest.update($0.extracting(first: count)) }
            }
        case .stream:
            throw RequestError(
                .bodyNotRepeatable, "\(subject) is a stream, whose content is not known before it is sent")
        }
        return digest.finalizeHex()
    }
}
