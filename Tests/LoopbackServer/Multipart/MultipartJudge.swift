import MappingDigests

/// Reads a form in pieces and refuses forms that RFC 7578 and RFC 2046 do not allow.
///
/// Its memory does not grow with the parts. A delimiter begins with its only CR, so a piece is searched for CRs, and a
/// delimiter across pieces is a partial match.
package struct MultipartJudge {
    private enum Place {
        case content
        case behindDelimiter
        case headers
        case end
    }

    /// CRLF, two hyphens and the boundary.
    private let delimiter: [UInt8]
    private let isHashing: Bool
    private var place = Place.content
    /// The number of matched bytes of the delimiter; the first needs no CRLF before it.
    private var matched = 2
    /// The lines between delimiter and content, as far as received.
    private var line: [UInt8] = []
    private var headers: [Header] = []
    private var part: FormPart?
    private var sha256 = SHA256()
    private var md5 = MD5()
    private var parts: [FormPart] = []

    package init(boundary: String, isHashing: Bool) {
        delimiter = Array("\r\n--\(boundary)".utf8)
        self.isHashing = isHashing
    }

    /// Reads the next bytes of the body.
    package mutating func take(_ bytes: UnsafeRawBufferPointer) throws {
        var position = 0
        while position < bytes.count {
            switch place {
            case .content: try takeContent(bytes, &position)
            case .behindDelimiter: try takeDelimiterEnd(bytes, &position)
            case .headers: try takeHeaderLine(bytes, &position)
            case .end:
                line += bytes[position...].prefix(3)
                position = bytes.count
                guard "\r\n".utf8.starts(with: line) else { throw BadForm("bytes behind the last boundary") }
            }
        }
    }

    /// The parts, after the complete body was read.
    package func finish() throws -> [FormPart] {
        guard case .end = place else { throw BadForm("the last boundary is missing") }
        guard line.isEmpty || line.count == 2 else { throw BadForm("bytes behind the last boundary") }
        return parts
    }

    private mutating func takeContent(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) throws {
        if matched == 0 {
            let end = bytes.index(of: UInt8(ascii: "\r"), from: position) ?? bytes.count
            try append(bytes.piece(position..<end))
            position = end
        }
        while position < bytes.count, bytes[position] == delimiter[matched] {
            position += 1
            matched += 1
            if matched == delimiter.count {
                matched = 0
                endPart()
                place = .behindDelimiter
                return
            }
        }
        if position < bytes.count, matched > 0 {
            // It was content; a new delimiter can begin only at a CR, which is not in these bytes.
            let seen = Array(delimiter[..<matched])
            matched = 0
            try seen.withUnsafeBytes { try append($0) }
        }
    }

    private mutating func takeDelimiterEnd(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) throws {
        line.append(bytes[position])
        position += 1
        guard line.count == 2 else { return }
        switch String(decoding: line, as: UTF8.self) {
        case "\r\n": place = .headers
        case "--":
            guard !parts.isEmpty else { throw BadForm("a form without a part") }
            place = .end
        default: throw BadForm("a boundary that neither CRLF nor two hyphens end")
        }
        line = []
    }

    private mutating func takeHeaderLine(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) throws {
        let end = bytes.index(of: UInt8(ascii: "\n"), from: position).map { $0 + 1 } ?? bytes.count
        line += bytes[position..<end]
        position = end
        guard line.count <= 64 * 1024, headers.count <= 64 else { throw BadForm("headers of a part without an end") }
        guard line.last == UInt8(ascii: "\n") else { return }
        guard line.count > 1, line[line.count - 2] == UInt8(ascii: "\r") else {
            throw BadForm("a header line of a part that a bare LF ends")
        }
        if line.count > 2 {
            guard String(validating: line, as: UTF8.self) != nil else {
                throw BadForm("a header of a part that is not UTF-8")
            }
            do {
                headers.append(try line.withUnsafeBytes { try Grammar.field($0.piece(0..<$0.count - 2)) })
            } catch let mistake as Malformed {
                throw BadForm(mistake.reason + " in a part")
            }
        } else {
            part = try FormDataType.part(headers)
            headers = []
            place = .content
        }
        line = []
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) throws {
        guard part != nil else { throw BadForm("the body does not begin with the boundary") }
        part?.size += bytes.count
        guard isHashing else { return }
        sha256.update(RawSpan(_unsafeBytes: bytes))
        md5.update(RawSpan(_unsafeBytes: bytes))
    }

    private mutating func endPart() {
        guard var part else { return }
        if isHashing {
            part.sha256 = sha256.finalizeHex()
            part.md5 = md5.finalizeHex()
            (sha256, md5) = (SHA256(), MD5())
        }
        parts.append(part)
        self.part = nil
    }
}
