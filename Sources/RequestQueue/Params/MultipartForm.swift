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
