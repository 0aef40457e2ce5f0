/// A body of bytes in memory.
///
/// ```swift
/// try await client.put("/avatar", .data(png, contentType: "image/png"))
/// try await client.post("/films", .json(film))
/// ```
public struct DataBody: RequestSerializable, Sendable, Hashable {
    /// The bytes of the body.
    public var data: Data
    /// The `Content-Type`.
    public var contentType: String

    /// Creates a body of bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - contentType: The `Content-Type`. Defaults to `application/octet-stream`.
    public init(_ data: Data, contentType: String = "application/octet-stream") {
        self.data = data
        self.contentType = contentType
    }

    /// The number of bytes.
    public var contentLength: Int64? { Int64(data.count) }

    /// The bytes of the body.
    public func makeBodyData() throws -> Data? { data }
}

extension RequestSerializable where Self == DataBody {
    /// Creates a body of bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - contentType: The `Content-Type`. Defaults to `application/octet-stream`.
    public static func data(_ data: Data, contentType: String = "application/octet-stream") -> DataBody {
        DataBody(data, contentType: contentType)
    }

    /// Encodes a value as JSON, with the content type `application/json`.
    public static func json(
        _ value: some Encodable, encoder: JSONEncoder = JSONEncoder()
    ) throws(RequestError) -> DataBody {
        do {
            return DataBody(try encoder.encode(value), contentType: "application/json")
        } catch {
            throw RequestError(
                .invalidBody, "the value cannot be encoded as JSON: \(causeText(of: error))", underlying: error)
        }
    }
}

/// A stream of bytes in memory.
package final class DataStream: BodyStream {
    private let data: Data
    private var position = 0

    package init(_ data: Data) { self.data = data }

    package func read(into buffer: inout MutableRawSpan) throws -> BodyRead {
        let count = min(buffer.byteCount, data.count - position)
        guard count > 0 else { return .end }
        // A constant, which shares the bytes: where Foundation is resilient, a span of a property can be an error.
        let data = data
        buffer.copy(data.bytes.extracting(position..<position + count))
        position += count
        return .bytes(count)
    }
}
