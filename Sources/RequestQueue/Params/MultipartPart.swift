import MappingDigests

/// A part of a multipart form: a snapshot of an attachment.
package struct MultipartPart: Sendable {
    /// The source of the bytes.
    package enum Content: Sendable {
        case data(Data)
        case file(FileIdentity)
        case stream(StreamBody)
    }

    package let name: String
    package var fileName: String?
    /// The MIME type; `nil` for the default.
    package var mimeType: String?
    package let content: Content

    /// The MIME type that is sent; `nil` for a part without a file name.
    package var sentType: String? { mimeType ?? fileName.map { MIMETypes.shared[fileName: $0] } }

    /// The number of bytes; `nil` if it is unknown.
    var contentLength: Int64? {
        switch content {
        case .data(let data): Int64(data.count)
        case .file(let file): file.size
        case .stream(let stream): stream.contentLength
        }
    }

    /// The header lines between the delimiter and the content, including the empty line.
    var head: String {
        var head = "Content-Disposition: form-data; name=\"\(Self.quoted(name))\""
        if let fileName { head += "; filename=\"\(Self.quoted(fileName))\"" }
        head += "\r\n"
        if let mimeType = sentType { head += "Content-Type: \(mimeType)\r\n" }
        return head + "\r\n"
    }

    /// Verifies that all servers interpret the head in the same way.
    ///
    /// - Throws: An error of kind `invalidBody`.
    func check() throws(RequestError) {
        try check(name, "the name")
        if let fileName {
            guard !fileName.isEmpty else {
                throw invalid("the file name is empty; servers ignore parts with an empty file name")
            }
            try check(fileName, "the file name")
        }
        if let mimeType = sentType, !MediaType.isValid(mimeType) {
            throw invalid("the MIME type '\(printable(mimeType))' is invalid; expected a type such as image/png")
        }
        if let contentLength, contentLength < 0 { throw invalid("the length \(contentLength) is negative") }
    }

    private func check(_ text: String, _ subject: String) throws(RequestError) {
        for scalar in text.unicodeScalars where scalar.value < 0x20 || scalar.value == 0x7f {
            guard scalar == "\r" || scalar == "\n" else {
                throw invalid("\(subject) '\(printable(text))' contains a control character")
            }
        }
        if text.hasSuffix("\\") {
            throw invalid("\(subject) '\(printable(text))' ends with a backslash, which escapes the closing quote")
        }
    }

    private func invalid(_ cause: String) -> RequestError {
        RequestError(.invalidBody, "attachment '\(printable(name))': \(cause)")
    }

    /// Returns a name or file name as browsers write it (HTML Standard, multipart/form-data encoding).
    ///
    /// Only quotes and line breaks are percent-encoded.
    private static func quoted(_ text: String) -> String {
        replacing(["\"": "%22", "\r": "%0D", "\n": "%0A"], in: text)
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

    /// Returns the MD5 of the content; a file is read in constant memory.
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
                .bodyNotRepeatable, "\(subject) is a stream; its content is unknown before it is sent")
        }
        return digest.finalizeHex()
    }
}
