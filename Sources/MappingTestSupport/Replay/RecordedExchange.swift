import MappingDigests
import RequestQueue

/// A recorded request with its response or failure.
struct RecordedExchange: Codable, Sendable {
    struct Request: Codable, Sendable, Hashable {
        var method: String
        var url: String
        /// Lines such as `Accept: text/plain`, for information only; they are not compared in a replay.
        var headers: [String]
        var body: BodyDigest?

        /// Whether another request is equal; a redacted query value matches any value.
        func matches(_ other: Request) -> Bool {
            guard method == other.method, body == other.body else { return false }
            if url == other.url { return true }
            let (recorded, asked) = (queryItems(of: url), queryItems(of: other.url))
            return recorded.count == asked.count
                && zip(recorded, asked).allSatisfy { recorded, asked in
                    recorded == asked
                        || recorded.hasSuffix("=" + redactionMark)
                            && asked.hasPrefix(recorded.dropLast(redactionMark.utf8.count))
                }
        }
    }

    /// A digest that identifies a body without revealing it, because it can contain a password.
    struct BodyDigest: Codable, Sendable, Hashable {
        var bytes: Int
        var sha256: String
    }

    struct Response: Codable, Sendable {
        var status: Int
        var headers: [String]
        var body: Content?
    }

    /// Bytes, as text if possible.
    struct Content: Codable, Sendable {
        var text: String?
        var base64: String?
    }

    struct Failure: Codable, Sendable {
        var kind: String
        var cause: String
    }

    var request: Request
    var response: Response?
    var failure: Failure?
}

extension RecordedExchange.Request {
    /// Creates a recorded request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: The body that was sent.
    ///   - secrets: Names of header fields whose values are redacted, in lowercase. Defaults to none.
    ///   - secretItems: Names of query items whose values are redacted, in addition to those of ``isSecretName(_:)``.
    ///     Defaults to none.
    init(
        _ request: TransportRequest, body: Data, redacting secrets: Set<String> = [],
        queryItems secretItems: Set<String> = []
    ) {
        let boundary = request.headers["Content-Type"].flatMap(multipartBoundary)
        method = request.method.rawValue
        url = redacted(request.url.absoluteString, items: secretItems)
        headers = lines(of: request.headers, redacting: secrets, queryItems: secretItems).map { line in
            boundary.map { line.replacing($0, with: boundaryMark) } ?? line
        }
        guard request.body != nil else { return }
        // The boundary differs in each request.
        let known = boundary.map { replacing($0, with: boundaryMark, in: body) } ?? body
        self.body = RecordedExchange.BodyDigest(bytes: known.count, sha256: SHA256.hex(of: known))
    }
}

extension RecordedExchange.Response {
    init(_ head: ResponseHead, body: Data, redacting secrets: Set<String>, queryItems secretItems: Set<String>) {
        var headers = head.headers
        if head.isDecoded {
            // These fields describe the body before it was decoded.
            headers["Content-Encoding"] = nil
            headers["Content-Length"] = nil
        }
        status = head.status
        self.headers = lines(of: headers, redacting: secrets, queryItems: secretItems)
        if !body.isEmpty { self.body = RecordedExchange.Content(body) }
    }

    /// The response of a stub; `nil` if the recorded body is not valid Base64.
    var answer: StubResponse? {
        guard let body = body.map(\.data) ?? Data() else { return nil }
        var headers = HTTPHeaders()
        for line in self.headers {
            let parts = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[1] != redactionMark else { continue }
            headers.add(String(parts[1]), for: String(parts[0]))
        }
        var response = StubResponse(status: status, body: body)
        response.head?.headers = headers
        return response
    }
}

extension RecordedExchange.Content {
    init(_ data: Data) {
        text = data.contains(0) ? nil : String(validating: data, as: UTF8.self)
        base64 = text == nil ? data.base64EncodedString() : nil
    }

    var data: Data? { text.map { Data($0.utf8) } ?? base64.flatMap { Data(base64Encoded: $0) } }
}

extension RecordedExchange.Failure {
    init(_ failure: TransportFailure) {
        kind = failure.kind.rawValue
        cause = failure.cause
    }

    var failure: TransportFailure { TransportFailure(RequestError.Kind(rawValue: kind) ?? .connectionFailed, cause) }
}

private let boundaryMark = "BOUNDARY"

private func lines(of headers: HTTPHeaders, redacting secrets: Set<String>, queryItems: Set<String>) -> [String] {
    headers.map { field in
        let isSecret = secrets.contains(field.name.lowercased())
        return "\(field.name): "
            + (isSecret ? redactionMark : field.replacingQueries { redacted(String($0), items: queryItems) })
    }
}

/// Returns the URL before its query, followed by the items of its query and its fragment with their delimiters.
private func queryItems(of url: String) -> [Substring] {
    var items: [Substring] = []
    var start = url.startIndex
    for index in url.indices
    where url[index] == "#" || url[index] == "?" && items.isEmpty || url[index] == "&" && !items.isEmpty {
        items.append(url[start..<index])
        start = index
    }
    return items + [url[start...]]
}

/// Returns a URL with redacted values of secret query items.
private func redacted(_ url: String, items secrets: Set<String>) -> String {
    let items = queryItems(of: url)
    return items.dropFirst().reduce(into: String(items[0])) { result, item in
        let name = String(item.dropFirst().prefix { $0 != "=" })
        let isSecret = name.count + 1 < item.count && (isSecretName(name) || secrets.contains(name.lowercased()))
        result += isSecret ? item.prefix(name.count + 1) + "=" + redactionMark : item
    }
}

/// Returns a copy of the bytes with all occurrences of a text replaced; fast for large bodies, also in debug builds.
private func replacing(_ text: String, with replacement: String, in data: Data) -> Data {
    let text = Array(text.utf8)
    let bytes = data.bytes
    var result = Data(capacity: bytes.byteCount)
    var (copied, position) = (0, 0)
    while position <= bytes.byteCount - text.count, let hit = bytes.firstOffset(of: text[0], from: position),
        hit <= bytes.byteCount - text.count
    {
        position = hit
        if text.indices.allSatisfy({ bytes.byte(at: hit + $0) == text[$0] }) {
            result.append(bytes.extracting(copied..<position))
            result += replacement.utf8
            position += text.count
            copied = position
        } else {
            position += 1
        }
    }
    result.append(bytes.extracting(droppingFirst: copied))
    return result
}

/// Returns the boundary in a `multipart` content type (RFC 2046 §5.1.1).
private func multipartBoundary(in contentType: String) -> String? {
    guard contentType.lowercased().hasPrefix("multipart/"),
        let start = contentType.lowercased().firstRange(of: "boundary=")
    else { return nil }
    let value = contentType[start.upperBound...].prefix { $0 != ";" }
    let boundary = value.filter { $0 != "\"" }.trimmingPrefix { $0 == " " }
    return boundary.isEmpty ? nil : String(boundary)
}
