/// The reason why a request returned no model: the request failed, or its response has another status, is not JSON, or
/// cannot be mapped.
///
/// ```swift
/// do {
///     let account = try await client.get("/accounts/7", as: Account.self)
/// } catch {
///     switch error.kind {
///     case .unacceptableStatus: print(error.response?.status ?? 0, error.body(as: Problem.self)?.title ?? "")
///     case .mappingFailed: print(error.mappingError?.issues ?? [])
///     case .requestFailed, .unexpectedContent: print(error)
///     }
/// }
/// ```
///
/// `description` does not contain values of the response and can be logged; `debugDescription` contains them.
public struct MappedRequestError: Error, Sendable {
    /// The kind of failure.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// There is no response; ``MappedRequestError/requestError`` is the cause.
        case requestFailed
        /// The response has a status other than 200 to 299.
        case unacceptableStatus
        /// The body is not JSON, such as an HTML page of a proxy, or is empty.
        case unexpectedContent
        /// The body is JSON that the mapping does not accept, or truncated JSON; ``MappedRequestError/mappingError`` has
        /// the issues.
        case mappingFailed
    }

    /// The kind of failure.
    public let kind: Kind
    /// The response; `nil` if no response was received.
    ///
    /// For a stream, its body is the start of the response's body.
    public let response: RESTResponse?
    /// The reason why there is no response; `nil` if a response was received.
    public let requestError: RequestError?
    /// The issues of the response's body, with their positions; `nil` if it was not read.
    public let mappingError: MappingError?
}

extension MappedRequestError {
    /// Creates an error for a request without a response.
    public init(_ error: RequestError) {
        self.init(kind: .requestFailed, response: nil, requestError: error, mappingError: nil)
    }

    /// An error of a response whose status is not 200 to 299.
    init(status response: RESTResponse) {
        self.init(kind: .unacceptableStatus, response: response, requestError: nil, mappingError: nil)
    }

    /// An error of a response whose body cannot be mapped.
    ///
    /// The content type is used only if the body is not JSON, because servers send JSON with many types, even
    /// `text/html`.
    init(_ error: MappingError, in response: RESTResponse) {
        let isSyntax = error.issues.contains { $0.kind == .syntax }
        let kind: Kind = isSyntax && (response.body.isEmpty || !response.isJSON) ? .unexpectedContent : .mappingFailed
        self.init(kind: kind, response: response, requestError: nil, mappingError: error)
    }

    /// The URL that was requested, after redirects; `nil` if the request had no valid URL.
    public var url: URL? { response?.url ?? requestError?.url }

    /// Whether the request was cancelled, or the task that waited for it.
    public var isCancelled: Bool { requestError?.kind == .cancelled }

    /// The first 200 bytes of the response's body as text; empty without a response.
    public var bodyPrefix: String { String(decoding: response?.body.prefix(200) ?? Data(), as: UTF8.self) }

    /// The body of the response as a model, such as the server's description of an error.
    ///
    /// - Returns: `nil` if there is no response, or if its body cannot be mapped.
    public func body<Model: Mappable>(as type: Model.Type = Model.self) -> Model? {
        response.flatMap { try? Model.mapping.map($0.body) }
    }
}

extension MappedRequestError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The method, the status, the URL and the cause, without any value of the response.
    public var description: String {
        guard let response else { return requestError?.description ?? kind.rawValue }
        let subject = "\(response.method) gave \(response)"
        return switch kind {
        case .unacceptableStatus: "\(subject); expected a status of 200 to 299"
        case .unexpectedContent:
            "\(subject); expected JSON, found " + (response.body.isEmpty ? "an empty body" : "a body that is not JSON")
        case .requestFailed, .mappingFailed: "\(subject)\n\(mappingError?.description ?? "")"
        }
    }

    /// The `description`, with the values of the issues and the first 200 bytes of the body.
    public var debugDescription: String {
        guard let response else { return description }
        let cause =
            kind == .mappingFailed
            ? "\(response.method) gave \(response)\n\(mappingError?.debugDescription ?? "")" : description
        return "\(cause)\n\(bodyPrefix)"
    }
}

extension MappedRequestError: LocalizedError {
    /// The `description`.
    public var errorDescription: String? { description }
}
