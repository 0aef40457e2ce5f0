extension RESTClient {
    /// Returns the pages of a list as models.
    ///
    /// ```swift
    /// for try await page in client.pages("/tasks", .page(size: 50), as: ProjectTask.self, at: "tasks") { … }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of the list.
    ///   - pagination: How the list is divided into pages. Defaults to the links of header fields.
    ///   - query: The query of each page, added to that of the path. Defaults to none.
    ///   - headers: Header fields of the requests, each of which replaces the client's. Defaults to none.
    ///   - type: The type of the models.
    ///   - keyPath: The key path of the collection. Defaults to the body itself.
    ///   - shape: How the elements are arranged. Defaults to an array.
    ///   - position: The first page. Defaults to `nil`, the first page of the list.
    /// - Returns: A sequence that throws `MappedRequestError` for requests and bodies, and ``PageError`` for pages.
    public func pages<Model: Mappable>(
        _ path: String, _ pagination: Pagination = .linkHeader, query: FormValue = [:], headers: HTTPHeaders = [:],
        as type: Model.Type, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        from position: PagePosition? = nil
    ) -> Pages<ModelPage<Model>, any Error> {
        Pages(
            pagination, of: list(path, query), at: baseURL, from: position,
            by: PageSource(
                fetch: { try await self.page($0, of: path, query, headers) },
                read: { response in
                    let models = try response.mapAll(as: Model.self, at: keyPath, each: shape)
                    // Elements that are null have no models.
                    let isShort = pagination.hasNumbers && models.count < pagination.size ?? 0
                    let count = isShort ? max(models.count, response.countOfElements(at: keyPath) ?? 0) : models.count
                    return (ModelPage(models: models, response: response), .init(response, count: count))
                },
                didRead: { page, run in
                    ModelPage(models: page.models, response: page.response, nextPage: run.nextPosition)
                }))
    }

    /// Returns the pages of a list as responses with a status of 200 to 299, to be read by `map` or `mapAll`.
    ///
    /// - Parameters:
    ///   - path: The path of the list.
    ///   - pagination: How the list is divided into pages. Defaults to the links of header fields. Pages by number and
    ///     offset require a body that is a list or that has a single one.
    ///   - query: The query of each page, added to that of the path. Defaults to none.
    ///   - headers: Header fields of the requests, each of which replaces the client's. Defaults to none.
    ///   - position: The first page. Defaults to `nil`, the first page of the list.
    /// - Returns: A sequence that throws `MappedRequestError` for requests, and ``PageError`` for pages.
    public func pages(
        _ path: String, _ pagination: Pagination = .linkHeader, query: FormValue = [:], headers: HTTPHeaders = [:],
        from position: PagePosition? = nil
    ) -> Pages<RESTResponse, any Error> {
        Pages(
            pagination, of: list(path, query), at: baseURL, from: position,
            by: PageSource(
                fetch: { try await self.page($0, of: path, query, headers) },
                read: { ($0, .init($0, count: pagination.hasNumbers ? $0.countOfElements() : nil)) },
                didRead: { page, _ in page }))
    }

    /// Identifies the list of a path and a query.
    package func list(_ path: String, _ query: FormValue) -> String {
        let items = request(.get, path, query: query).url.flatMap {
            URLComponents(url: $0, resolvingAgainstBaseURL: true)
        }
        return "\(path.split(separator: "?", maxSplits: 1).first ?? "")?\(items?.percentEncodedQuery ?? "")"
    }

    /// Returns the request of a page.
    package func request(
        _ target: PageRun.Target, of path: String, query: FormValue, headers: HTTPHeaders = [:]
    ) -> RESTRequest {
        switch target {
        case .parameters(let fields): request(.get, path, query: query.replacing(fields), headers: headers)
        case .url(let url): request(.get, url.absoluteString, headers: headers)
        }
    }

    private func page(
        _ target: PageRun.Target, of path: String, _ query: FormValue, _ headers: HTTPHeaders
    ) async throws -> RESTResponse {
        let response = try await request(target, of: path, query: query, headers: headers).response()
        guard response.isSuccessful else { throw MappedRequestError(status: response) }
        return response
    }
}

extension FormValue {
    /// Returns the query with other values for fields.
    fileprivate func replacing(_ fields: [Field]) -> FormValue {
        let names = Set(fields.map(\.name))
        switch self {
        case .fields(let own): return .fields(own.filter { !names.contains($0.name) } + fields)
        case .null: return .fields(fields)
        case .text, .list: return .list([self, .fields(fields)])
        }
    }
}

extension RESTResponse {
    /// Returns the number of elements at a key path, or of the only list there; `nil` without one.
    fileprivate func countOfElements(at keyPath: JSONKeyPath = "") -> Int? {
        guard let body = try? ResponseReader(self).read({ (body) throws(MappingError) in try body.json[at: keyPath] })
        else { return isBlank ? 0 : nil }
        if let elements = body.array { return elements.count }
        let lists = (body.object ?? [:]).compactMap(\.value.array)
        return lists.count == 1 ? lists[0].count : nil
    }
}
