import CCurl

/// The transport over the system's libcurl.
public final class CurlTransport: Transport {
    public static let shared = CurlTransport()

    public init() {}

    public func start(_ request: TransportRequest, handler: any TransportHandler) -> any TransportTask {
        struct None: TransportTask {
            func cancel() {}
            func resume() {}
        }
        return None()
    }
}
