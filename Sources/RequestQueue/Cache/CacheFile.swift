import MappingDigests

/// The file format of a stored response.
///
/// | Bytes | Content |
/// | --- | --- |
/// | 8 | `MKCACHE` and a line feed |
/// | 4 | version |
/// | 4 | length of the head |
/// | 8 | length of the body |
/// | 32 | SHA-256 of the body |
/// | 32 | SHA-256 of all bytes before this one, and of the head |
/// | … | head: name, status, times, variation, header fields |
/// | … | body |
///
/// Numbers are little-endian. A string is its length in 4 bytes and its UTF-8. A time is a `Double`: the seconds since
/// 2001.
package enum CacheFile {
    static let version: UInt32 = 2
    private static let magic = Data("MKCACHE\n".utf8)
    private static let bodyLengthStart = 16
    private static let bodyChecksumStart = 24
    private static let checksumStart = 56
    private static let headStart = 88
    /// The maximum size of a head that is read.
    static let headLimit = 1 << 20

    package static func encode(_ response: CachedResponse, name: String) -> Data {
        var head = Data()
        head.append(text: name)
        head.append(number: UInt32(truncatingIfNeeded: response.status))
        for time in [response.requestTime, response.responseTime] {
            head.append(number: time.timeIntervalSinceReferenceDate.bitPattern)
        }
        head.append(text: response.variation.digest)
        head.append(number: UInt32(truncatingIfNeeded: response.variation.names.count))
        for name in response.variation.names { head.append(text: name) }
        head.append(number: UInt32(truncatingIfNeeded: response.headers.fields.count))
        for field in response.headers {
            head.append(text: field.name)
            head.append(text: field.value)
        }
        var start = magic
        start.append(number: version)
        start.append(number: UInt32(truncatingIfNeeded: head.count))
        start.append(number: UInt64(response.body.count))
        start += checksum(response.body)
        return start + checksum(start, head) + head + response.body
    }

    /// Returns the number of bytes before the body, from the first bytes of a file; `nil` if it is damaged.
    static func headEnd(in data: Data) -> Int? {
        let data = data.startIndex == 0 ? data : Data(data)
        guard data.count >= headStart, data.starts(with: magic) else { return nil }
        var start = CacheFileReader(data[magic.count..<bodyChecksumStart])
        guard start.number(UInt32.self) == version, let length = start.number(UInt32.self), length <= headLimit
        else { return nil }
        return headStart + Int(length)
    }

    /// Decodes the first bytes of a file; returns the response without its body, or `nil` if these bytes are incomplete,
    /// damaged, or were written for another name.
    static func decodeHead(_ data: Data, name: String) -> CachedResponse? {
        let data = data.startIndex == 0 ? data : Data(data)
        guard let headEnd = headEnd(in: data), headEnd <= data.count,
            data[checksumStart..<headStart] == checksum(data[..<checksumStart], data[headStart..<headEnd])
        else { return nil }
        var head = CacheFileReader(data[headStart..<headEnd])
        guard head.text() == name, let response = head.response(), head.isAtEnd else { return nil }
        return response
    }

    /// Decodes a file; returns `nil` if it is incomplete, damaged, or was written for another name.
    package static func decode(_ data: Data, name: String) -> CachedResponse? {
        let data = data.startIndex == 0 ? data : Data(data)
        guard var response = decodeHead(data, name: name), let headEnd = headEnd(in: data) else { return nil }
        response.body = Data(data[headEnd...])
        var length = CacheFileReader(data[bodyLengthStart..<bodyChecksumStart])
        guard length.number(UInt64.self) == UInt64(response.body.count),
            data[bodyChecksumStart..<checksumStart] == checksum(response.body)
        else { return nil }
        return response
    }

    private static func checksum(_ parts: Data...) -> Data {
        var digest = SHA256()
        for part in parts { digest.update(part.bytes) }
        return Data(digest.finalize())
    }
}

/// Reads the values of a head; returns `nil` after the end of the data.
private struct CacheFileReader {
    private var rest: Data

    init(_ data: Data) { rest = data }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        guard let bytes = take(Number.bitWidth / 8) else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | Number($1) }
    }

    mutating func text() -> String? {
        guard let count = number(UInt32.self), let bytes = Int(exactly: count).flatMap({ take($0) }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Reads everything after the name; the response has no body.
    mutating func response() -> CachedResponse? {
        guard let status = number(UInt32.self), (200..<300).contains(status), let requestTime = time(),
            let responseTime = time(), let digest = text(), let names = list({ $0.text() }),
            let fields = list({ $0.field() })
        else { return nil }
        return CachedResponse(
            status: Int(status), headers: HTTPHeaders(fields: fields), body: Data(), requestTime: requestTime,
            responseTime: responseTime, variation: Variation(names: names, digest: digest))
    }

    private mutating func time() -> Date? {
        guard let bits = number(UInt64.self), case let seconds = Double(bitPattern: bits), abs(seconds) < 1e12
        else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    /// Reads a field that can be sent again, as validators are.
    private mutating func field() -> HTTPHeaders.Field? {
        guard let name = text(), let value = text(), !name.isEmpty,
            !(name + value).utf8.contains(where: { [0, 0x0A, 0x0D].contains($0) })
        else { return nil }
        return HTTPHeaders.Field(name: name, value: value)
    }

    private mutating func list<Element>(_ element: (inout CacheFileReader) -> Element?) -> [Element]? {
        guard let count = number(UInt32.self) else { return nil }
        var list: [Element] = []
        for _ in 0..<count {
            guard let next = element(&self) else { return nil }
            list.append(next)
        }
        return list
    }

    private mutating func take(_ count: Int) -> Data? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}

extension Data {
    fileprivate mutating func append(number: some FixedWidthInteger) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    fileprivate mutating func append(text: String) {
        append(number: UInt32(truncatingIfNeeded: text.utf8.count))
        append(contentsOf: text.utf8)
    }
}
