/// Bytes with their content type as the body of a request: ``RequestSerializable/data(_:contentType:)`` and
/// ``RequestSerializable/json(_:encoder:)``.
public struct DataBody: RequestSerializable, Sendable {
    public let contentType: String
    private let data: Result<Data, RequestError>

    public init(_ data: Data, contentType: String = "application/octet-stream") {
        self.contentType = contentType
        self.data = .success(data)
    }

    /// A body that cannot be made, which is told when it is sent.
    init(mistake: String, _ contentType: String) {
        self.contentType = contentType
        data = .failure(RequestError(.invalidBody, mistake))
    }

    public var contentLength: Int64? { (try? data.get()).map { Int64($0.count) } }

    public func makeBodyData() throws -> Data? { try data.get() }
}

extension RequestSerializable where Self == DataBody {
    /// Bytes as they are, `application/octet-stream` unless told.
    public static func data(_ data: Data, contentType: String = "application/octet-stream") -> DataBody {
        DataBody(data, contentType: contentType)
    }

    /// A value as JSON. One that cannot be encoded, as a number that is not finite, fails the request as `invalidBody`.
    public static func json(_ value: some Encodable, encoder: JSONEncoder = JSONEncoder()) -> DataBody {
        do {
            return DataBody(try encoder.encode(value), contentType: "application/json")
        } catch {
            return DataBody(mistake: "the value cannot be encoded as JSON: \(error)", "application/json")
        }
    }

    /// Bytes that are JSON already, as a mapping's `serialize` makes them.
    public static func json(_ data: Data) -> DataBody { DataBody(data, contentType: "application/json") }
}
