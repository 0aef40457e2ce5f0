/// Reading and writing of single JSON tokens.
package enum JSONText {
    /// A string in quotes, escaped as RFC 8259 asks: quotes, backslashes and control characters only.
    package static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.string(text)
        return writer.text
    }

    /// Appends a string in quotes.
    static func append(_ text: ByteView, to bytes: inout [UInt8]) {
        var writer = JSONWriter()
        writer.string(text)
        writer.withBytes { bytes += $0 }
    }

    /// The text of a string between its quotes; invalid escapes and UTF-8 are replaced by U+FFFD.
    package static func unescaped(_ bytes: some Collection<UInt8>) -> String {
        guard bytes.contains(.backslash) else { return String(decoding: bytes, as: UTF8.self) }
        var buffer = ByteBuffer(capacity: bytes.count)
        ([UInt8](bytes) + [.quote] + Array(repeating: 0, count: Bytes.padding)).withView { padded in
            guard var place = Bytes(padded) else { return }
            let end = place + bytes.count
            while case let (error, stop) = unescapeContents(place, into: &buffer), error < end {
                switch stop {
                case .invalidUTF8, .invalidEscape: buffer.append("\u{FFFD}".utf8)
                case .quote, .control: buffer.append(error.pointee)
                }
                place = error + 1
            }
        }
        return makeString(buffer.text, buffer.count)
    }

    /// A valid text without the blanks between its tokens.
    package static func withoutBlanks(_ text: [UInt8]) -> [UInt8] {
        var buffer = ByteBuffer(capacity: text.count)
        text.withView { buffer.append(withoutBlanks: $0) }
        return Array(buffer.text.raw(buffer.count))
    }
}
