/// The media type of a form, multipart/form-data.
enum FormDataType {
    /// The boundary of a request's body (RFC 2046 §5.1.1).
    static func boundary(of headers: [Header]) throws -> String {
        guard let text = headers["content-type"] else { throw BadForm("no Content-Type") }
        guard headers.count(of: "content-type") == 1 else { throw BadForm("two Content-Type fields") }
        let type = try HeaderParameters(text)
        guard type.value == "multipart/form-data" else { throw BadForm("the Content-Type \(type.value)") }
        guard let boundary = type["boundary"] else { throw BadForm("no boundary in the Content-Type") }
        guard 1...70 ~= boundary.utf8.count, boundary.last != " ", boundary.utf8.allSatisfy(isBoundaryCharacter) else {
            throw BadForm("a boundary that RFC 2046 does not allow")
        }
        return boundary
    }

    /// A part without content, parsed from its header lines.
    static func part(_ headers: [Header]) throws -> FormPart {
        for header in headers {
            // RFC 7578 §4.7 and §4.8: senders must not send others, nor encode what HTTP can transfer.
            guard header.isNamed("content-disposition") || header.isNamed("content-type") else {
                throw BadForm("the header \(header.name) in a part")
            }
            guard headers.count(of: header.name) == 1 else { throw BadForm("\(header.name) twice in a part") }
        }
        guard let text = headers["content-disposition"] else { throw BadForm("a part without Content-Disposition") }
        let disposition = try HeaderParameters(text)
        guard disposition.value == "form-data" else { throw BadForm("the Content-Disposition \(disposition.value)") }
        guard let name = disposition["name"] else { throw BadForm("a part without a name") }
        for (parameter, _) in disposition.parameters where parameter != "name" && parameter != "filename" {
            throw BadForm("the parameter \(parameter) in a Content-Disposition")
        }
        if let type = headers["content-type"] { _ = try HeaderParameters(type) }
        return FormPart(name: unescaped(name), filename: disposition["filename"].map(unescaped), headers: headers)
    }

    private static func isBoundaryCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "'()+_,-./:=? ".utf8.contains(byte)
        }
    }

    /// Reverts the escapes of the HTML standard's form encoding, and no others.
    private static func unescaped(_ text: String) -> String {
        [("%22", "\""), ("%0D", "\r"), ("%0A", "\n")].reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}
