/// The models of a collection, mapped one by one while the response arrives: memory does not grow with the response.
///
/// ```swift
/// for try await account in try await client.stream("/export", as: Account.self, at: "accounts") { … }
/// ```
///
/// It can be iterated once. Cancelling the task, or releasing the stream, ends the request.
public struct MappedStream<Model>: AsyncSequence {
    /// The type of the elements: the mapped model.
    public typealias Element = Model
    /// A `MappedRequestError`, or an error that the closure for rejected elements throws.
    public typealias Failure = any Error

    /// The status of the response.
    public var status: Int { stream.status }
    /// The header fields of the response.
    public var headers: HTTPHeaders { stream.headers }
    /// The URL of the response, after redirects.
    public var url: URL { stream.url }

    private let stream: RESTStream
    private let method: HTTPMethod
    private let models: MappingStream<Model>
    private let start: BodyStart

    init(_ stream: RESTStream, _ method: HTTPMethod, _ models: (RecordedBody) -> MappingStream<Model>) {
        self.stream = stream
        self.method = method
        start = BodyStart()
        self.models = models(RecordedBody(body: stream.body, start: start))
    }

    /// Returns an iterator that starts at the first element.
    public func makeAsyncIterator() -> Iterator { Iterator(stream: self, models: models.makeAsyncIterator()) }

    /// An iterator over the elements.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let stream: MappedStream
        fileprivate var models: MappingStream<Model>.Iterator

        /// Returns the next model; `nil` at the end of a complete collection, and after an error.
        ///
        /// - Throws: `MappedRequestError`, or an error that the closure for rejected elements throws.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Model? {
            do {
                return try await models.next(isolation: actor)
            } catch let error as MappingError {
                throw MappedRequestError(error, in: stream.response)
            } catch let error as RequestError {
                throw MappedRequestError(error)
            } catch is CancellationError {
                throw MappedRequestError(
                    RequestError(
                        .cancelled, "the task that read the stream was cancelled", method: stream.method,
                        url: stream.url, phase: .receiving))
            }
        }

        /// Returns the next model; `nil` at the end of a complete collection, and after an error.
        public mutating func next() async throws -> Model? { try await next(isolation: nil) }
    }

    /// The response with the start of its body.
    private var response: RESTResponse {
        stream.response(method, start.bytes)
    }
}

extension RESTRequest {
    /// Sends the request and maps the elements of a collection by a custom mapping while the response arrives.
    ///
    /// - Parameters:
    ///   - mapping: The mapping of an element.
    ///   - keyPath: The key path of the collection. Defaults to the body itself.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line.
    ///   - options: Metadata, limits and the log.
    ///   - rejecting: Receives each element with issues, which is left out; an error that it throws ends the stream.
    ///     Defaults to `nil`: the first such element ends the stream.
    /// - Throws: `MappedRequestError` if there is no response, or if its status is not 200 to 299; the error contains
    ///   the body of such a response. Later errors are thrown by the stream.
    public func stream<Model>(
        by mapping: Mapping<Model>, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        options: MappingOptions = MappingOptions(), rejecting: (@Sendable (RejectedElement) throws -> Void)? = nil
    ) async throws(MappedRequestError) -> sending MappedStream<Model> {
        let stream: RESTStream
        let errorBody: Data?
        do throws(RequestError) {
            stream = try await self.stream()
            errorBody = (200..<300).contains(stream.status) ? nil : try await stream.body.prefix(Self.errorBodyLimit)
        } catch { throw MappedRequestError(error) }
        if let errorBody {
            throw MappedRequestError(status: stream.response(method, errorBody))
        }
        return MappedStream(stream, method) {
            mapping.stream(from: $0, at: keyPath, each: shape, options: options, rejecting: rejecting)
        }
    }

    /// The maximum number of bytes kept of an error's body.
    private static var errorBodyLimit: Int { 1 << 20 }
}

extension RESTStream {
    /// The response with a part of its body.
    fileprivate func response(_ method: HTTPMethod, _ body: Data) -> RESTResponse {
        RESTResponse(
            status: status, headers: headers, body: body, url: url, redirects: redirects, attempts: attempts,
            method: method)
    }
}

extension ResponseBody {
    /// Returns the first bytes; the rest is not read.
    fileprivate func prefix(_ limit: Int) async throws(RequestError) -> Data {
        var bytes = Data()
        var pieces = makeAsyncIterator()
        while bytes.count < limit, let piece = try await pieces.next() { bytes += piece.prefix(limit - bytes.count) }
        return bytes
    }
}
