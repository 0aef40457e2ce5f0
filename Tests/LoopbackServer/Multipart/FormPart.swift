/// A part of a form that was read and validated.
package struct FormPart {
    /// The name of the field, with `%22`, `%0D` and `%0A` in place of characters that a header cannot contain.
    package var name: String
    /// The name of the file in the same form, if there is one.
    package var filename: String?
    package var headers: [Header]
    package var size = 0
    /// The digest in lower-case hexadecimal; nil if it was not computed.
    package var sha256: String?
    var md5: String?

    var json: JSONText {
        [
            "name": .string(name), "filename": JSONText(filename), "content_type": JSONText(headers["content-type"]),
            "headers": JSONText(headers), "size": .number(size), "sha256": JSONText(sha256), "md5": JSONText(md5),
        ]
    }
}
