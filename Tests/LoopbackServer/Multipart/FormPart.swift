/// A part of a form that was read and judged.
package struct FormPart {
    /// The name of the field, where `%22`, `%0D` and `%0A` stand for the characters a header cannot have.
    package var name: String
    /// The same of the file's name, if there is one.
    package var filename: String?
    package var headers: [Header]
    package var size = 0
    /// In lower-case hexadecimal; nil if they were not wanted.
    package var sha256: String?
    var md5: String?

    var json: JSONText {
        [
            "name": .string(name), "filename": JSONText(filename), "content_type": JSONText(headers["content-type"]),
            "headers": JSONText(headers), "size": .number(size), "sha256": JSONText(sha256), "md5": JSONText(md5),
        ]
    }
}
