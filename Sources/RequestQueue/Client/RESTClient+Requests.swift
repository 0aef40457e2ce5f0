extension RESTClient {
    /// Returns a request for a resource, with the current settings of the client; it is sent by its `send()`, or by a queue.
    ///
    /// The path is joined to the base URL, with or without a leading slash; an empty path is the base URL. Characters that
    /// a URL cannot contain are percent-escaped, existing escapes are kept, and a fragment is removed; `..` does not lead
    /// out of the base URL. A value that is one component of the path is written `"/tags/\(component: name)"`.
    ///
    /// An absolute URL is used verbatim. If its origin differs from that of the base URL, the rules of redirects apply: of
    /// the client's fields, only `Accept`, those that begin with `Accept-`, `User-Agent` and `Range` are sent, and neither
    /// its ``RequestSettings/authentication`` nor its client certificate nor its ``RequestSettings/adapters`` are used. If
    /// the host differs, its ``RequestSettings/reachabilityObserver`` is not used.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, or an absolute URL.
    ///   - query: The query, in the order of the literal, which is added to that of the path: `["ids": [1, 2]]` is
    ///     `ids[]=1&ids[]=2`. Defaults to no query. See ``FormValue``.
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    /// - Returns: A request. If the path and the base URL do not form a URL, sending it throws an error of kind
    ///   `invalidURL`.
    public func request(
        _ method: HTTPMethod, _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:]
    ) -> RESTRequest {
        let url: URL
        do throws(RequestError) {
            try query.checkDepth(of: "query", .invalidURL)
            url = try base.url(for: path, query: query.queryText())
        } catch {
            var buildError = error
            buildError.method = method
            // The message names the invalid path.
            buildError.url = baseURL
            return request(method, nil, buildError: buildError)
        }
        var request = request(method, url, buildError: nil)
        if BaseURL.isAbsolute(path), !url.isSameOrigin(as: baseURL) {
            request.headers = HTTPHeaders(fields: request.headers.filter(\.isAnonymous))
            request.authentication = nil
            request.tls.clientCertificate = nil
            // They can add secrets of the client; redirects to another origin do not call them either.
            request.adapters = []
            if !url.isSameHost(as: baseURL) { request.reachabilityObserver = nil }
        }
        // The client's content type applies to requests with a body, which set it again.
        request.headers["Content-Type"] = nil
        request.headers.replace(with: headers)
        return request
    }

    /// Returns a request with a query of a dictionary, sorted by name, or of `[URLQueryItem]`, in their order.
    @_disfavoredOverload
    public func request(
        _ method: HTTPMethod, _ path: String, query: some FormValueConvertible, headers: HTTPHeaders = [:]
    ) -> RESTRequest {
        request(method, path, query: query.formValue, headers: headers)
    }

    /// Returns a GET request for a resource.
    public func request(_ path: String, query: FormValue = [:], headers: HTTPHeaders = [:]) -> RESTRequest {
        request(.get, path, query: query, headers: headers)
    }

    /// Returns a request with a body, which is copied; its content type is a field of the request unless `headers` has one.
    ///
    /// A `Content-Type` in the client's ``RESTClient/headers`` replaces that of the body if both mean the same format,
    /// such as `application/vnd.api+json` and `application/json`, or if the body has no format
    /// (`application/octet-stream`). Otherwise the request fails with kind `invalidHeader`.
    public func request(
        _ method: HTTPMethod, _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:],
        _ body: some RequestSerializable
    ) -> RESTRequest {
        var request = request(method, path, query: query, headers: headers)
        request.setBody(body)
        if let contentType = headers["Content-Type"] {
            request.headers["Content-Type"] = contentType
        } else if let contentType = self.headers["Content-Type"] {
            request.setContentType(contentType)
        }
        return request
    }

    /// Returns a request with a form, or without a body for `nil`.
    public func request(
        _ method: HTTPMethod, _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ form: FormValue?
    ) -> RESTRequest {
        guard let form else { return request(method, path, query: query, headers: headers) }
        return request(method, path, query: query, headers: headers, form as FormValue)
    }

    /// Returns a request whose body is a value as JSON.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, appended to the base URL.
    ///   - query: The query. Defaults to none.
    ///   - headers: Header fields of this request; they replace those of the client. Defaults to none.
    ///   - json: The value. If it cannot be encoded, sending the request throws an error of kind `invalidBody`.
    ///   - encoder: The encoder. Defaults to a new one.
    public func request(
        _ method: HTTPMethod, _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], json: some Encodable,
        encoder: JSONEncoder = JSONEncoder()
    ) -> RESTRequest {
        request(method, path, query: query, headers: headers) { () throws(RequestError) in
            try DataBody.json(json, encoder: encoder)
        }
    }

    /// Returns a request whose body is a file, which is read while it is sent.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, appended to the base URL.
    ///   - query: The query. Defaults to none.
    ///   - headers: Header fields of this request; they replace those of the client. Defaults to none.
    ///   - file: The URL of the file. If it cannot be read, sending the request throws an error of kind `bodyUnreadable`.
    ///   - contentType: The content type. Defaults to that of the file's extension.
    public func request(
        _ method: HTTPMethod, _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], file: URL,
        contentType: String? = nil
    ) -> RESTRequest {
        request(method, path, query: query, headers: headers) { () throws(RequestError) in
            try FileBody(file, contentType: contentType)
        }
    }

    /// A request whose body is created by a function, or that reports why it cannot be created.
    private func request(
        _ method: HTTPMethod, _ path: String, query: FormValue, headers: HTTPHeaders,
        body: () throws(RequestError) -> some RequestSerializable
    ) -> RESTRequest {
        do throws(RequestError) {
            return request(method, path, query: query, headers: headers, try body())
        } catch {
            var request = request(method, path, query: query, headers: headers)
            request.refuse(error)
            return request
        }
    }
}

extension RESTRequest {
    /// Replaces the content type of the body with that of the client, if both mean the same format.
    fileprivate mutating func setContentType(_ type: String) {
        guard let body, buildError == nil else { return }
        let (given, own) = (MediaType(type).name, MediaType(body.contentType).name)
        // The content type of a multipart body contains its boundary.
        if given == own, own.hasPrefix("multipart/") { return }
        let isSameFormat =
            given == own || own == "application/octet-stream"
            || MediaType.isJSON(given) && MediaType.isJSON(own)
        guard MediaType.isValid(type), isSameFormat else {
            buildError = RequestError(
                .invalidHeader,
                "the client's header 'Content-Type' is '\(printable(type))', and the body is '\(body.contentType)'; "
                    + "remove the header, and set the content type of the body",
                method: method, url: url)
            return
        }
        headers["Content-Type"] = type
    }
}
