import ObjectMapping

/// An element of a dump that was not stored, as a line of the rejects file.
struct RejectedElement {
    enum Content {
        /// JSON as it stood.
        case element([UInt8])
        /// A line that is no JSON: kept as a string, in Base64 if it is no text either.
        case line([UInt8])
    }

    let file: String
    let position: TextPosition
    let path: String
    let issues: [MappingIssue]
    let content: Content

    /// The line, with its end.
    var line: [UInt8] {
        let texts = issues.map { JSONText.quoted($0.description) }.joined(separator: ",")
        let head = """
            {"file":\(JSONText.quoted(file)),"line":\(position.line),"column":\(position.column),\
            "path":\(JSONText.quoted(path)),"issues":[\(texts)],
            """
        return Array(head.utf8) + member + Array("}\n".utf8)
    }

    private var member: [UInt8] {
        switch content {
        case .element(let bytes): Array("\"element\":".utf8) + Self.withoutBlanks(bytes)
        case .line(let bytes):
            if let text = String(validating: bytes, as: UTF8.self) {
                Array("\"text\":\(JSONText.quoted(text))".utf8)
            } else {
                Array("\"base64\":\"\(Data(bytes).base64EncodedString())\"".utf8)
            }
        }
    }

    /// Drops the blanks between tokens, so that the element stays one line; texts stay as they are.
    private static func withoutBlanks(_ bytes: [UInt8]) -> [UInt8] {
        var isInText = false
        var isEscaped = false
        return bytes.filter { byte in
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isInText.toggle()
            } else if isInText {
                isEscaped = byte == UInt8(ascii: "\\")
            } else {
                return byte != 0x20 && byte != 0x0A && byte != 0x0D && byte != 0x09
            }
            return true
        }
    }
}
