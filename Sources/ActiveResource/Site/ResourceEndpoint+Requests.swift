import MappingLog

extension ResourceEndpoint {
    /// Returns a request with the settings of the site.
    ///
    /// - Parameters:
    ///   - body: The body; `nil` for none.
    func request(_ method: HTTPMethod, _ path: String, body: Data? = nil) -> RESTRequest {
        // Header fields and the query of the site can be credentials, which are sent to its origin only.
        let isPath = path.hasPrefix("/") && !path.hasPrefix("//")
        let isOwn = isPath || site.client.request(.get, path).url.map(site.hasOrigin) == true
        let path = isOwn ? site.addingQuery(to: path) : path
        var request: RESTRequest
        if let body {
            request = site.client.request(method, path, DataBody(body, contentType: site.format.mediaType))
        } else {
            request = site.client.request(method, path)
        }
        let isReading = method == .get || method == .head || method == .delete
        let field = isReading ? "Accept" : "Content-Type"
        request.headers[field] = site.client.headers[field] ?? site.format.mediaType
        request.omitsAccept = !isReading
        if isOwn {
            for field in site.headers { request.headers[field.name] = nil }
            for field in site.headers { request.headers.add(field.value, for: field.name) }
        }
        request.delegate = site.delegate
        if let transport = ResourceSite.transport { request.transport = transport }
        return request
    }

    /// Sends a request, through the queue of the site if it has one.
    ///
    /// - Throws: `ResourceError` if there is no response, or if its status is an error.
    nonisolated(nonsending) func send(_ request: RESTRequest) async throws(ResourceError) -> RESTResponse {
        let clock = ContinuousClock()
        let start = clock.now
        return try checked(await outcome(of: request), of: request, after: start.duration(to: clock.now))
    }

    /// Sends a request and blocks the thread until its outcome.
    ///
    /// - Throws: `ResourceError` if there is no response, or if its status is an error.
    @available(*, noasync)
    func sendSync(_ request: RESTRequest) throws(ResourceError) -> RESTResponse {
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = Result { () throws(RequestError) in try request.sendSynchronously() }
        return try checked(outcome, of: request, after: start.duration(to: clock.now))
    }

    private nonisolated(nonsending) func outcome(of request: RESTRequest) async -> Result<RESTResponse, RequestError> {
        guard let queue = site.queue else {
            do throws(RequestError) { return .success(try await request.send()) } catch { return .failure(error) }
        }
        do throws(RequestError) { return .success(try await queue.send(request)) } catch { return .failure(error) }
    }

    private func checked(
        _ outcome: Result<RESTResponse, RequestError>, of request: RESTRequest, after duration: Duration
    ) throws(ResourceError) -> RESTResponse {
        let event = ResourceEvent(request: request, result: outcome, duration: duration)
        site.onRequest?(event)
        // The module RequestQueue logs failures without a response.
        let isLoggedError = event.isError && event.hasResponse
        LogMessage.log(.activeResource, isLoggedError ? .error : .debug, event.logText)
        let response: RESTResponse
        do throws(RequestError) { response = try outcome.get() } catch { throw ResourceError(error, request) }
        if let kind = ResourceError.Kind(status: response.status) {
            throw ResourceError(kind, kind.cause(of: response), request: request, response: response)
        }
        return response
    }

    /// Logs that a list is empty because its path does not exist.
    func logEmptyList(for error: ResourceError) {
        LogMessage.log(
            .activeResource, .warning,
            "\(error): read as an empty list; if the list exists, check the path of the site and the resource")
    }

    /// Calls a closure with the body of a response, in the format of its media type, or of the site.
    ///
    /// - Throws: `ResourceError` for a body that the format or the closure does not accept.
    func read<Value>(
        _ response: RESTResponse, to request: RESTRequest, removing root: ResponseReader.Root = .none,
        _ read: (Payload) throws(MappingError) -> Value
    ) throws(ResourceError) -> Value {
        do throws(MappedRequestError) {
            return try ResponseReader(response, preferred: site.format).read(removing: root, read)
        } catch { throw ResourceError(error, request) }
    }

    /// Returns the problems in the response of a save.
    ///
    /// - Throws: The error, if its response does not contain problems.
    func problems(
        of error: ResourceError, _ read: (JSON) -> ResourceErrors?
    ) throws(ResourceError) -> ResourceErrors {
        guard let response = error.response, let request = error.request,
            let body = try? self.read(response, to: request, { (body) throws(MappingError) in try body.json }),
            let problems = read(body)
        else { throw error }
        return problems
    }
}

extension RESTResponse {
    /// Whether the body contains a record.
    var hasRecord: Bool {
        guard status >= 200, status != 204, status != 304, headers["Content-Length"] != "0" else { return false }
        return !isBlank
    }
}

extension ResourceError.Kind {
    fileprivate func cause(of response: RESTResponse) -> String {
        guard self == .redirection else { return Inflector.humanized(Inflector.underscored(rawValue)).lowercased() }
        return "redirections are not followed; the target is \(response.location?.shown ?? "not named")"
    }
}
