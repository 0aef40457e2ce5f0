/// The reason why a request returned no model: the request failed, or its response has another status, is not JSON, or
/// cannot be mapped.
///
/// ```swift
/// do {
///     let account = try await client.get("/accounts/7", as: Account.self)
/// } catch {
///     switch error.kind {
///     case .unacceptableStatus: print(error.response?.status ?? 0, error.serverMessage ?? "")
///     case .mappingFailed: print(error.mappingError?.issues ?? [])
///     case .requestFailed, .unexpectedContent: print(error)
///     }
/// }
/// ```
///
/// It can be logged: however it is printed, it does not contain values of the response. ``details`` contains them.
public struct MappedRequestError: Error, Sendable {
    /// The kind of failure.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// There is no response; ``MappedRequestError/requestError`` is the cause.
        case requestFailed
        /// The response has a status other than 200 to 299, or another status or content type than the caller accepts.
        case unacceptableStatus
        /// The body is not JSON or of another registered format, such as an HTML page of a proxy, or is empty or blank,
        /// with any content type.
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
    /// The reason why there is no response, or why a call for a `Codable` type does not accept it; otherwise `nil`.
    public let requestError: RequestError?
    /// The issues of the response's body, with their positions; `nil` if it was not read.
    public let mappingError: MappingError?
    /// The models in the body of a response with another status, if a mapping for them is known; otherwise empty.
    public let models: [any Sendable]
    /// The name of the format of the body.
    private let format: String

    private init(
        _ kind: Kind, _ response: RESTResponse?, requestError: RequestError? = nil, mappingError: MappingError? = nil,
        models: [any Sendable] = [], format: String = "JSON"
    ) {
        self.models = models
        self.kind = kind
        self.response = response
        self.requestError = requestError
        self.mappingError = mappingError
        self.format = format
    }
}

extension MappedRequestError {
    /// Creates an error from one of RequestQueue, so that a function can throw one type of error.
    ///
    /// If a response was received, but not accepted, it has the kind and the response that a call for a mapped type would
    /// throw.
    public init(_ error: RequestError) {
        let kind: Kind =
            switch error.response {
            case nil: .requestFailed
            case let response? where error.underlying != nil:
                response.isJSON && response.startsLikeJSON ? .mappingFailed : .unexpectedContent
            default: .unacceptableStatus
            }
        self.init(kind, error.response, requestError: error)
    }

    /// An error of a response whose status is not 200 to 299.
    package init(status response: RESTResponse, models: [any Sendable] = []) {
        self.init(.unacceptableStatus, response, models: models)
    }

    /// An error of a response whose body cannot be mapped.
    ///
    /// The content type is not used: servers send JSON as `text/html`, and HTML as `application/json`.
    init(_ error: MappingError, in response: RESTResponse, of format: any PayloadFormat = .json) {
        // If a part of the body was read, the position of the error helps more than the content type.
        let isUnread = error.issues.contains { issue in
            issue.kind == .syntax && response.body.count >= issue.offset
                && response.body.prefix(issue.offset).allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        }
        self.init(
            isUnread ? .unexpectedContent : .mappingFailed, response, mappingError: error,
            format: format is JSONFormat ? "JSON" : format.mediaType)
    }

    /// The URL that was requested, after redirects; `nil` if the request had no valid URL.
    public var url: URL? { response?.url ?? requestError?.url }

    /// Whether the request was cancelled, or the task that waited for it.
    public var isCancelled: Bool { requestError?.kind == .cancelled }

    /// The first 200 bytes of the response's body as text; empty without a response.
    public var bodyPrefix: String { response?.bodyPrefix ?? "" }

    /// The message in the body of a response with another status than 200 to 299; `nil` if none is found.
    ///
    /// It is the text of a common member of a JSON object: `message`, `detail`, `title`, `error_description`, `error`,
    /// `error.message` or the first of `errors`; or a body of type `text/plain`, up to 1,000 characters. If the error has
    /// ``models`` with descriptions, it is these, joined by commas. It can contain private data: do not log it.
    public var serverMessage: String? {
        guard kind == .unacceptableStatus, let response else { return nil }
        let descriptions = models.compactMap { ($0 as? any CustomStringConvertible)?.description }
        if !descriptions.isEmpty { return descriptions.joined(separator: ", ") }
        if response.mimeType == "text/plain" { return response.text.map { String($0.prefix(1000)) } }
        guard let body = try? ResponseReader(response).read({ (body) throws(MappingError) in try body.json }) else {
            return nil
        }
        let firsts = [body["errors"][0]["message"], body["errors"][0]["detail"], body["errors"][0]]
        let members = ["message", "detail", "title", "error_description", "error"].map { body[$0] }
        let message = (members + [body["error"]["message"]] + firsts).compactMap(\.string).first { !$0.isEmpty }
        return message ?? attributeMessages(in: body["errors"])
    }

    /// Returns the messages by attribute, such as `title can't be blank`; `nil` without any.
    private func attributeMessages(in errors: JSON) -> String? {
        let messages = (errors.object ?? [:]).flatMap { member in
            (member.value.array?.compactMap(\.string) ?? [member.value.string].compactMap(\.self)).map { text in
                member.key == "base" ? text : "\(member.key) \(text)"
            }
        }
        return messages.isEmpty ? nil : messages.joined(separator: ", ")
    }

    /// Returns the models of a type in the body.
    public func models<Model>(of type: Model.Type) -> [Model] { models.compactMap { $0 as? Model } }

    /// The body of the response as a model, such as the server's description of an error.
    ///
    /// - Returns: `nil` if there is no response, or if its body cannot be mapped.
    public func body<Model: Mappable>(as type: Model.Type = Model.self) -> Model? {
        response.flatMap { response in
            try? ResponseReader(response).read { (body) throws(MappingError) in try Model.mapping.map(body) }
        }
    }
}

extension MappedRequestError: CustomStringConvertible, CustomReflectable {
    /// The method, the status, the URL and the cause, without any value of the response.
    public var description: String {
        guard let response else { return requestError?.description ?? kind.rawValue }
        let isListed = kind == .requestFailed || kind == .mappingFailed
        return "\(response.summary)\(isListed ? "\n" : "; ")\(cause)"
    }

    /// What was expected and what was found, or the issues of the body.
    package var cause: String {
        switch kind {
        case .unacceptableStatus: requestError?.cause ?? "expected a status of 200 to 299"
        case .unexpectedContent:
            "expected \(format), found "
                + (response?.body.isEmpty != false
                    ? "an empty body" : response?.isBlank == true ? "a blank body" : "a body that is not \(format)")
        case .requestFailed, .mappingFailed: mappingError?.description ?? requestError?.cause ?? ""
        }
    }

    /// The `description`, with the values of the issues, the server's message and the first 200 bytes of the body, which may
    /// be private data: do not log it.
    public var details: String {
        guard let response else { return requestError?.details ?? description }
        let cause =
            if let mappingError {
                "\(kind == .mappingFailed ? response.summary : description)\n\(mappingError.details)"
            } else if let underlying = requestError?.underlying {
                "\(description)\n\(underlying)"
            } else { description }
        let message = serverMessage.map { bodyPrefix.contains($0) ? "" : "\n\($0)" } ?? ""
        return "\(cause)\(message)\n\(bodyPrefix)"
    }

    /// Kind, response and causes, without values of the response.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "kind": kind.rawValue, "response": response as Any, "requestError": requestError as Any,
                "mappingError": mappingError as Any,
            ])
    }
}

extension MappedRequestError: LocalizedError {
    /// The `description`.
    public var errorDescription: String? { description }
}
