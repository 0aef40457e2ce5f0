import ObjectMapping

/// An element of a dump that was not stored, as a line of the rejects file.
struct RejectRecord {
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

    /// The element on one line, or the bad line as text, or as Base64 where it is none.
    private var member: [UInt8] {
        switch content {
        case .element(let bytes): Array("\"element\":".utf8) + JSONText.withoutBlanks(bytes)
        case .line(let bytes):
            if let text = String(validating: bytes, as: UTF8.self) {
                Array("\"text\":\(JSONText.quoted(text))".utf8)
            } else {
                Array("\"base64\":\"\(Data(bytes).base64EncodedString())\"".utf8)
            }
        }
    }
}
