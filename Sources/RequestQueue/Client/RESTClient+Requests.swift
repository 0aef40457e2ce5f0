extension RESTClient {
    /// A request for a resource, with the client's settings as they are now; it is sent by its `send`, or by a queue.
    ///
    /// The path is joined to the base URL, with or without a slash before it; an empty one is the base URL. What a URL
    /// cannot hold is percent-escaped, but not again; a fragment is cut; `..` leads as far as the base URL and no further.
    /// An absolute URL stands for itself; to another origin than the base URL's the client's fields `Authorization`,
    /// `Proxy-Authorization` and `Cookie` do not go, nor has the request its ``RESTClient/authentication``; at another host
    /// its ``RESTClient/reachabilityObserver`` says nothing.
    ///
    /// The query is added to the path's, sorted by name: `["ids": [1, 2]]` is `ids[]=1&ids[]=2`, its brackets escaped as
    /// URLs want it. See ``FormValue``.
    ///
    /// - Returns: A request even of what cannot be sent, which is told when it is.
    public func request(
        _ method: HTTPMethod, _ path: String, query: [String: any FormValueConvertible] = [:]
    ) -> RESTRequest {
        let url: URL
        do throws(RequestError) {
            url = try base.url(for: path, query: query.isEmpty ? "" : FormValue(query).formEncoded)
        } catch {
            var mistake = error
            mistake.method = method
            // The cause names the path of which no URL can be made.
            mistake.url = baseURL
            return request(method, nil, mistake: mistake)
        }
        var request = request(method, url, mistake: nil)
        request.headers["Content-Type"] = nil
        if BaseURL.isAbsolute(path), !url.isSameOrigin(as: baseURL) {
            for name in ["Authorization", "Proxy-Authorization", "Cookie"] { request.headers[name] = nil }
            request.authentication = nil
            if !url.isSameHost(as: baseURL) { request.reachabilityObserver = nil }
        }
        return request
    }

    /// A GET request for a resource.
    public func request(_ path: String, query: [String: any FormValueConvertible] = [:]) -> RESTRequest {
        request(.get, path, query: query)
    }

    /// A request with a body, of which it takes a snapshot; its content type is a field of the request.
    public func request(
        _ method: HTTPMethod, _ path: String, query: [String: any FormValueConvertible] = [:],
        _ body: some RequestSerializable
    ) -> RESTRequest {
        var request = request(method, path, query: query)
        request.setBody(body)
        return request
    }

    /// A request with a form, sorted by name, or without a body.
    public func request(
        _ method: HTTPMethod, _ path: String, query: [String: any FormValueConvertible] = [:],
        _ form: [String: any FormValueConvertible]?
    ) -> RESTRequest {
        guard let form else { return request(method, path, query: query) }
        return request(method, path, query: query, FormValue(form))
    }
}
