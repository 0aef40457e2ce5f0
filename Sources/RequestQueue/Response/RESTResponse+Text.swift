extension RESTResponse {
    /// The body as text, in the character set that the response names, else UTF-8; nil if it is no such text.
    public var text: String? { text(default: .utf8) }

    /// The body as text.
    ///
    /// - Parameter encoding: That of a body whose response names none.
    /// - Returns: Nil if the bytes are no text of the character set, or if that is not known.
    public func text(default encoding: String.Encoding) -> String? {
        guard let charset else { return decoded(encoding) }
        return encodings[charset].flatMap { decoded($0) }
    }

    /// The body, which is JSON, as a value.
    ///
    /// ```swift
    /// let films: [Film] = try await client.get("/films").validated().json()
    /// ```
    ///
    /// The content type does not matter, as many servers name none; ``validated(statuses:contentTypes:)`` asks for one.
    ///
    /// - Throws: An error of kind `unacceptableResponse` if the body is no such JSON.
    public func json<Value: Decodable>(
        _ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) throws(RequestError) -> Value {
        do {
            return try decoder.decode(type, from: body)
        } catch {
            throw unacceptable(
                "JSON of \(type)",
                "\(mimeType ?? "no content type"), which cannot be decoded: \(printable("\(error)"))",
                underlying: error)
        }
    }

    private func decoded(_ encoding: String.Encoding) -> String? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return encoding == .utf8 && body.starts(with: mark)
            ? String(data: body.dropFirst(mark.count), encoding: .utf8) : String(data: body, encoding: encoding)
    }
}

/// Character sets by their names of IANA and the aliases that servers write.
private let encodings: [String: String.Encoding] = [
    "utf-8": .utf8, "utf8": .utf8, "us-ascii": .ascii, "ascii": .ascii,
    "iso-8859-1": .isoLatin1, "iso8859-1": .isoLatin1, "latin1": .isoLatin1,
    "utf-16": .utf16, "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian,
    "utf-32": .utf32, "utf-32le": .utf32LittleEndian, "utf-32be": .utf32BigEndian,
]
