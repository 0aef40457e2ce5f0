import Digests

/// The file format of a stored response.
///
/// | Bytes | Content |
/// | --- | --- |
/// | 8 | `MKCACHE` and a line feed |
/// | 4 | version |
/// | 4 | length of the head |
/// | 8 | length of the body |
/// | 32 | SHA-256 of all other bytes |
/// | … | head: name, status, times, variation, header fields |
/// | … | body |
///
/// Numbers are little-endian. A string is its length in 4 bytes and its UTF-8. A time is a `Double`: the seconds since
/// 2001.
package enum CacheFile {
    static let version: UInt32 = 1
    private static let magic = Data("MKCACHE\n".utf8)
    private static let checksumStart = 24
    private static let headStart = 56
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
        let content = head + response.body
        return start + checksum(start, content) + content
    }

    /// Decodes a file; returns `nil` if it is incomplete, damaged, or was written for another name.
    package static func decode(_ data: Data, name: String) -> CachedResponse? {
        let data = data.startIndex == 0 ? data : Data(data)
        guard data.count >= headStart, data.starts(with: magic) else { return nil }
        var start = CacheFileReader(data[magic.count..<checksumStart])
        guard start.number(UInt32.self) == version, let headLength = start.number(UInt32.self),
            let bodyLength = start.number(UInt64.self), headLength <= headLimit,
            UInt64(data.count - headStart).subtractingReportingOverflow(UInt64(headLength)) == (bodyLength, false),
            data[checksumStart..<headStart] == checksum(data[..<checksumStart], data[headStart...])
        else { return nil }
        let bodyStart = headStart + Int(headLength)
        var head = CacheFileReader(data[headStart..<bodyStart])
        guard head.text() == name, let response = head.response(body: Data(data[bodyStart...])), head.isAtEnd
        else { return nil }
        return response
    }

    private static func checksum(_ start: Data, _ content: Data) -> Data {
        var digest = SHA256()
        for part in [start, content] { digest.update(part.bytes) }
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

    /// Reads everything after the name.
    mutating func response(body: Data) -> CachedResponse? {
        guard let status = number(UInt32.self), (200..<300).contains(status), let requestTime = time(),
            let responseTime = time(), let digest = text(), let names = list({ $0.text() }),
            let fields = list({ $0.field() })
        else { return nil }
        return CachedResponse(
            status: Int(status), headers: HTTPHeaders(fields: fields), body: body, requestTime: requestTime,
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
