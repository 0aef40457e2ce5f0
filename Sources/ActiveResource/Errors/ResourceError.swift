/// The reason why a call of a resource failed, with the request and the response.
///
/// ```swift
/// do {
///     let person = try await Person.find(7)
/// } catch {
///     switch error.kind {
///     case .notFound, .gone: print("no such person")
///     case .tooManyRequests: print(error.response?.headers["Retry-After"] ?? "")
///     default: print(error)
///     }
/// }
/// ```
///
/// It can be logged: however it is printed, it does not contain values of the response. ``details`` contains them.
public struct ResourceError: Error, Sendable {
    /// The kind of failure.
    public let kind: Kind
    /// The request; `nil` if it could not be created.
    public let request: RESTRequest?
    /// The response; `nil` if the request failed without one.
    public let response: RESTResponse?
    /// The reason why there is no response, or why a body could not be read; `nil` for a status.
    public let underlying: (any Error)?
    /// The validation errors of the record; empty for errors of any other kind.
    public let errors: ResourceErrors
    /// What was expected and what was found, as a sentence without its period, without the issues of a mapping.
    private let cause: String

    init(
        _ kind: Kind, _ cause: String, request: RESTRequest? = nil, response: RESTResponse? = nil,
        underlying: (any Error)? = nil, errors: ResourceErrors = ResourceErrors()
    ) {
        self.kind = kind
        self.request = request
        self.response = response
        self.underlying = underlying
        self.errors = errors
        self.cause = cause
    }

    /// An error of a request without a response.
    init(_ error: RequestError, _ request: RESTRequest) {
        let kind: Kind =
            switch error.kind {
            case .cancelled: .cancelled
            case .connectionRefused: .connectionRefused
            case _ where error.isTimeout: .timeout
            case .secureConnectionFailed, .tlsVersionUnsupported, .serverCertificateHasBadDate,
                .serverCertificateSelfSigned, .serverCertificateUntrusted, .serverCertificateForOtherHost,
                .serverPublicKeyNotPinned, .clientCertificateRejected:
                .secureConnectionFailed
            case .invalidURL: .invalidSite
            default: .connectionFailed
            }
        self.init(kind, "\(error)", request: request, underlying: error)
    }

    /// An error of attributes that cannot be read or written.
    init(invalidAttributes error: any Error, of elementName: String) {
        let cause = error is MappingError ? elementName : "\(elementName): \(type(of: error))"
        self.init(.invalidAttributes, cause, underlying: error)
    }

    /// An error of a callback; its text can contain values of the record.
    init(callback error: any Error) {
        self =
            error as? ResourceError
            ?? ResourceError(.callbackFailed, "a callback threw \(type(of: error))", underlying: error)
    }

    /// An error of a response whose body cannot be read.
    init(_ error: MappedRequestError, _ request: RESTRequest) {
        let isContent = error.kind == .unexpectedContent
        self.init(
            isContent ? .unexpectedContent : .mappingFailed, isContent ? error.cause : "", request: request,
            response: error.response, underlying: error.mappingError)
    }

    /// An error of a response whose values cannot be assigned.
    init(_ error: MappingError, _ request: RESTRequest, _ response: RESTResponse) {
        self.init(.mappingFailed, "", request: request, response: response, underlying: error)
    }
}

extension ResourceError {
    /// Whether the status is 400 to 499.
    public var isClientError: Bool { response?.isClientError == true }
    /// Whether the status is 500 to 599.
    public var isServerError: Bool { response?.isServerError == true }
    /// The allowed methods in the `Allow` field, for kind `methodNotAllowed`.
    public var allowedMethods: [HTTPMethod] {
        response?.headers.elements(of: "Allow").map { HTTPMethod(rawValue: $0.uppercased()) } ?? []
    }
    /// The target of a redirection.
    public var location: URL? { response?.location }
    /// The first 200 bytes of the response's body as text; empty without a response.
    public var bodyPrefix: String { response?.bodyPrefix ?? "" }
}

extension ResourceError: CustomStringConvertible, CustomReflectable, LocalizedError {
    /// The request, the response and the cause, without values of the response.
    public var description: String { text((underlying as? MappingError)?.description) }

    /// The `description`, with the values of a body that could not be mapped, the validation errors of the service, the
    /// error of a callback, and the first 200 bytes of the response's body: do not log it.
    public var details: String {
        let text =
            switch underlying {
            case let error as MappingError: text(error.details)
            case let error as RequestError: error.details
            case let error?: "\(description)\n\(error)"
            case nil: description
            }
        guard response != nil else { return text }
        return "\(text)\(errors.isEmpty ? "" : ": \(errors)")\n\(bodyPrefix)"
    }

    private func text(_ issues: String?) -> String {
        [response?.summary, cause.isEmpty ? nil : cause, issues].compactMap(\.self).joined(separator: ": ")
    }

    /// Kind, request, response and description, without values of the response.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "kind": kind, "request": request as Any, "response": response as Any, "description": description,
            ])
    }

    /// The `description`.
    public var errorDescription: String? { description }
}
