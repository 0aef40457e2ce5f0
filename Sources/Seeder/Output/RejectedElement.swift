import ObjectMapping

/// An element of a dump that was not stored, as a line of the rejects file.
struct RejectedElement {
    let file: String
    let issues: [MappingIssue]
    /// The element as it stood; a line that is no JSON is kept as a string, and as Base64 if it is no text either.
    let raw: [UInt8]
    var isJSON = true

    /// The line, with its end.
    var line: [UInt8] {
        var line = Array("{\"file\":\(JSONText.quoted(file))".utf8)
        if let first = issues.first {
            line += Array(",\"line\":\(first.line),\"column\":\(first.column)".utf8)
            line += Array(",\"path\":\(JSONText.quoted(first.path))".utf8)
        }
        let texts = issues.map { JSONText.quoted("\($0.path): \($0.message)") }
        line += Array(",\"issues\":[\(texts.joined(separator: ","))]".utf8)
        if isJSON {
            line += Array(",\"element\":".utf8)
            appendWithoutBlanks(to: &line)
        } else if let text = String(validating: raw, as: UTF8.self) {
            line += Array(",\"text\":\(JSONText.quoted(text))".utf8)
        } else {
            line += Array(",\"base64\":\"\(Data(raw).base64EncodedString())\"".utf8)
        }
        return line + Array("}\n".utf8)
    }

    /// Drops the blanks between tokens, so that the element stays one line; texts stay as they are.
    private func appendWithoutBlanks(to line: inout [UInt8]) {
        var isInText = false
        var isEscaped = false
        for byte in raw {
            if !isInText, byte == 0x20 || (0x09...0x0D).contains(byte) { continue }
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
            } else if byte == UInt8(ascii: "\"") {
                isInText = true
            }
            line.append(byte)
        }
    }
}
