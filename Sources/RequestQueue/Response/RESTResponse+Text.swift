extension RESTResponse {
    /// The body as text, in the character set of the response or else UTF-8; `nil` if it cannot be decoded.
    ///
    /// Supported are Unicode, `iso-8859-1` to `iso-8859-16`, `windows-1250` to `windows-1258`, `koi8-r`, `koi8-u`,
    /// `shift_jis`, `euc-jp`, `euc-kr`, `gbk`, `gb18030` and `big5`.
    public var text: String? { text(default: .utf8) }

    /// Returns the body as text.
    ///
    /// - Parameter encoding: The encoding of a body whose response names no character set.
    /// - Returns: The text; `nil` if the body cannot be decoded or the character set is unknown.
    public func text(default encoding: String.Encoding) -> String? {
        guard let charset else { return decoded(encoding) }
        if let encoding = encodings[charset] { return decoded(encoding) }
        return charsets[charset].flatMap { TextDecoder.text(of: body, table: $0) }
    }

    /// Decodes the body from JSON.
    ///
    /// ```swift
    /// let films: [Film] = try await client.get("/films").validated().json()
    /// ```
    ///
    /// The content type is not checked, because many servers omit it; use ``validated(statuses:contentTypes:)`` to
    /// check it.
    ///
    /// - Parameters:
    ///   - type: The type of the value. Defaults to the inferred type.
    ///   - decoder: The decoder. Defaults to a new `JSONDecoder`.
    /// - Throws: An error of kind `unacceptableResponse` if the body cannot be decoded.
    public func json<Value: Decodable>(
        _ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) throws(RequestError) -> Value {
        do {
            return try decoder.decode(type, from: body)
        } catch {
            throw unacceptable(
                "JSON of \(type)",
                "\(mimeType ?? "no content type"), which cannot be decoded: "
                    + ((error as? DecodingError)?.safeText ?? "\(Swift.type(of: error))"),
                underlying: error)
        }
    }

    private func decoded(_ encoding: String.Encoding) -> String? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return encoding == .utf8 && body.starts(with: mark)
            ? String(data: body.dropFirst(mark.count), encoding: .utf8) : String(data: body, encoding: encoding)
    }
}

/// Character sets by their IANA names and common aliases.
private let encodings: [String: String.Encoding] = [
    "utf-8": .utf8, "utf8": .utf8, "us-ascii": .ascii, "ascii": .ascii,
    "iso-8859-1": .isoLatin1, "iso8859-1": .isoLatin1, "latin1": .isoLatin1,
    "utf-16": .utf16, "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian,
    "utf-32": .utf32, "utf-32le": .utf32LittleEndian, "utf-32be": .utf32BigEndian,
]

/// Further character sets, each with the name of the superset with which browsers decode it.
private let charsets: [String: String] = {
    var names = [
        "koi8-r": "KOI8-R", "koi8-u": "KOI8-U", "shift_jis": "CP932", "shift-jis": "CP932", "sjis": "CP932",
        "x-sjis": "CP932", "windows-31j": "CP932", "euc-jp": "EUC-JP", "euc-kr": "CP949", "gbk": "GBK",
        "gb2312": "GBK", "gb18030": "GB18030", "big5": "BIG5",
    ]
    for number in 1250...1258 {
        names["windows-\(number)"] = "CP\(number)"
        names["cp\(number)"] = "CP\(number)"
    }
    for number in [2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16] { names["iso-8859-\(number)"] = "ISO-8859-\(number)" }
    return names
}()
