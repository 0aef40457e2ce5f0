import ObjectMapping

/// A rejected element of a dump, as a line of the rejects file.
struct RejectRecord: Mappable {
    var file = ""
    var line = 0
    var column = 0
    var path = ""
    var issues: [String] = []
    /// The text of a line that is not JSON.
    var text: String?
    /// The bytes of a line that is not text.
    var base64: Data?
    /// The element; `nil` for a line that is not JSON.
    private var element: [UInt8]?

    static let mapping = Mapping(RejectRecord.init) {
        Attribute("file", \.file)
        Attribute("line", \.line)
        Attribute("column", \.column)
        Attribute("path", \.path)
        Attribute("issues", \.issues)
        Attribute("text", \.text)
        Attribute("base64", \.base64)
    }

    private init() {}

    /// - Parameter bytes: The element; for `isJSON` of `false`, a line that is not JSON.
    init(
        file: String, line: Int, column: Int, path: String, issues: [MappingIssue], _ bytes: [UInt8], isJSON: Bool
    ) {
        (self.file, self.line, self.column, self.path) = (file, line, column, path)
        self.issues = issues.map(\.description)
        if isJSON {
            element = bytes
        } else if let line = String(validating: bytes, as: UTF8.self) {
            text = line
        } else {
            base64 = Data(bytes)
        }
    }

    /// The line with its line break.
    var json: [UInt8] {
        get throws(MappingError) {
            var line = Array(try Self.mapping.serialize(self))
            if let element {
                // Written unchanged: a value would lose duplicate keys.
                line.removeLast()
                line += Array(",\"element\":".utf8) + JSONText.withoutBlanks(element) + Array("}".utf8)
            }
            return line + [UInt8(ascii: "\n")]
        }
    }
}
