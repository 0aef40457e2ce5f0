extension ResourceQuery {
    /// The pages of the list, requested one by one.
    ///
    /// ```swift
    /// for try await page in Person.all().pages() { … }                       // by the links of header fields
    /// for try await page in Person.all().pages(.page(size: 50)) { … }        // GET /people.json?page=1&per_page=50
    /// ```
    ///
    /// It throws if a link leads to another origin, which receives no request, to an earlier page, or to a page that does
    /// not exist. If the status of the first page is 404, the list is empty.
    ///
    /// - Parameters:
    ///   - pagination: How the list is divided into pages. Defaults to the links of header fields.
    ///   - position: The first page. Defaults to `nil`, the first page of the list.
    public func pages(
        _ pagination: Pagination = .linkHeader, from position: PagePosition? = nil
    ) -> Pages<ResourcePage<Record>, ResourceError> {
        let (query, kind) = (self, kind)
        let list = (try? kind.endpoint.path(of: source, prefix: prefixOptions, query: queryValue)) ?? ""
        return Pages(
            pagination, of: list, at: kind.endpoint.site.url, from: position,
            by: PageSource<SentPage, ResourcePage<Record>, ResourceError>(
                fetch: { target in
                    do throws(ResourceError) { return .success(try await SentPage.send(target, of: query)) } catch {
                        return .failure(error)
                    }
                },
                read: { (sent) throws(ResourceError) in
                    let page =
                        if let response = sent.response, !sent.isMissing {
                            try kind.page(of: response, to: sent.request, prefix: query.prefixOptions)
                        } else { ResourcePage<Record>([], response: sent.response) }
                    return (page, .init(sent.response, count: page.count))
                },
                didRead: { (page, run) throws(ResourceError) in
                    var page = page
                    page.nextPage = run.nextPosition
                    return page
                },
                failure: { ResourceError($0.kind.resourceKind, $0.description, underlying: $0) },
                response: { $0.response }))
    }
}

/// A request of a page and its response.
private struct SentPage: Sendable {
    let request: RESTRequest
    /// `nil` if no request was needed.
    var response: RESTResponse?
    /// Whether the list does not exist, which is read as an empty one.
    var isMissing = false

    /// Requests a page.
    static func send<Record>(
        _ target: PageRun.Target, of list: ResourceQuery<Record>
    ) async throws(ResourceError) -> SentPage {
        let endpoint = list.kind.endpoint
        var query = list
        switch target {
        case .url(let url): (query.parameters, query.source) = ([:], .path(url.absoluteString))
        case .parameters(let fields): for field in fields { query.parameters[field.name] = field.value }
        }
        let path = try endpoint.path(of: query.source, prefix: query.prefixOptions, query: query.queryValue)
        let request = endpoint.request(.get, path)
        if list.isEmpty { return SentPage(request: request) }
        do throws(ResourceError) {
            return SentPage(request: request, response: try await endpoint.send(request))
        } catch {
            // As for `load`, except for pages that others refer to.
            guard error.kind == .notFound, case .parameters = target, let response = error.response else { throw error }
            endpoint.logEmptyList(for: error)
            return SentPage(request: request, response: response, isMissing: true)
        }
    }
}

extension PageError.Kind {
    fileprivate var resourceKind: ResourceError.Kind {
        switch self {
        case .otherOrigin, .repeatedPage: .redirection
        case .noSuchPage: .notFound
        case .replaced: .cancelled
        case .tooManyPages, .invalidPage, .otherList: .unexpectedContent
        }
    }
}
