/// How a service divides a list into pages.
///
/// ```swift
/// for try await page in manager.pages("/projects", .linkHeader) { … }
/// for try await page in manager.pages("/projects", .page(size: 50).total(at: "meta.total")) { … }
/// for try await page in manager.pages("/events", .cursor(at: "meta.next_cursor")) { … }
/// ```
///
/// A list ends where the response says so. Pages by number and offset end at a page with fewer elements than requested,
/// unless the response counts more or links another page. An empty page does not end a list that has more by its counts or
/// links. Links to another origin are refused, and a link to the page itself or to an earlier one is an error.
public struct Pagination: Sendable, Hashable {
    enum Style: Sendable, Hashable {
        case linkHeader
        case page(first: Int)
        case offset
        case cursor(JSONKeyPath, hasMore: JSONKeyPath?)
        case nextURL(JSONKeyPath)
    }

    let style: Style
    /// The parameter with the number, offset or cursor; empty for URLs.
    let parameter: String
    /// The parameter with the size; empty for none.
    var sizeParameter = ""
    /// The requested number of elements of a page; `nil` if the service decides.
    package var size: Int?
    private(set) var totalPath: JSONKeyPath?
    private(set) var totalField: String?
    private(set) var pageCountPath: JSONKeyPath?
    private(set) var maximumOfPages = 10_000

    /// How pages are requested: the meaning of a position.
    package var identity: String {
        let kind =
            switch style {
            case .linkHeader: "links"
            case .page(let first): "pages from \(first)"
            case .offset: "offsets"
            case .cursor(let keyPath, _): "cursors at \(keyPath)"
            case .nextURL(let keyPath): "URLs at \(keyPath)"
            }
        let parameters = [parameter, sizeParameter, size.map { "\($0)" } ?? ""].filter { !$0.isEmpty }
        return ([kind] + parameters).joined(separator: ", ")
    }

    private init(_ style: Style, _ parameter: String = "", size: Int? = nil, sizeParameter: String = "") {
        (self.style, self.parameter, self.size, self.sizeParameter) = (style, parameter, size, sizeParameter)
    }

    /// The URL of the next page is in the header field `Link`, with the relation `next` (RFC 8288).
    ///
    /// If several links have this relation, the first one is used.
    public static let linkHeader = Pagination(.linkHeader)

    /// Pages have numbers: `?page=2&per_page=25`.
    ///
    /// - Parameters:
    ///   - size: The number of elements of a page. Defaults to 25.
    ///   - first: The number of the first page. Defaults to 1.
    ///   - name: The parameter with the number. Defaults to `page`.
    ///   - sizeName: The parameter with the size; `nil` for none. Defaults to `per_page`.
    public static func page(
        size: Int = 25, from first: Int = 1, name: String = "page", sizeName: String? = "per_page"
    ) -> Pagination {
        Pagination(.page(first: first), name, size: size, sizeParameter: sizeName ?? "")
    }

    /// Pages begin at an offset: `?offset=25&limit=25`.
    ///
    /// The next offset is that of the page plus the number of elements that it really has.
    ///
    /// - Parameters:
    ///   - size: The number of elements of a page. Defaults to 25.
    ///   - name: The parameter with the offset. Defaults to `offset`.
    ///   - sizeName: The parameter with the size; `nil` for none. Defaults to `limit`.
    public static func offset(
        size: Int = 25, name: String = "offset", sizeName: String? = "limit"
    ) -> Pagination {
        Pagination(.offset, name, size: size, sizeParameter: sizeName ?? "")
    }

    /// The body contains a cursor, which is a parameter of the next request: `?cursor=…`.
    ///
    /// The list ends at a page whose cursor is missing, null or empty.
    ///
    /// - Parameters:
    ///   - keyPath: The key path of the cursor, a string or an integer.
    ///   - name: The parameter with the cursor. Defaults to `cursor`.
    ///   - hasMore: The key path of a Boolean that is false on the last page. Defaults to `nil`.
    public static func cursor(
        at keyPath: JSONKeyPath, name: String = "cursor", hasMore: JSONKeyPath? = nil
    ) -> Pagination {
        Pagination(.cursor(keyPath, hasMore: hasMore), name)
    }

    /// The body contains the URL of the next page, such as `@odata.nextLink`.
    ///
    /// The list ends at a page whose URL is missing, null or empty. A relative URL is resolved with that of the response.
    ///
    /// - Parameter keyPath: The key path of the URL.
    public static func nextURL(at keyPath: JSONKeyPath) -> Pagination { Pagination(.nextURL(keyPath)) }

    // MARK: Counts

    /// Returns the pagination with the number of all elements in the body.
    ///
    /// Without it, the number is read from fields such as `X-Total-Count`; see `RESTResponse.totalCount`.
    public func total(at keyPath: JSONKeyPath) -> Pagination { with { $0.totalPath = keyPath } }

    /// Returns the pagination with the number of all elements in a header field of a service's own.
    public func total(field: String) -> Pagination { with { $0.totalField = field } }

    /// Returns the pagination with the number of all pages in the body.
    public func pageCount(at keyPath: JSONKeyPath) -> Pagination { with { $0.pageCountPath = keyPath } }

    /// Returns the pagination with the size of pages in a parameter, for cursors and URLs whose service accepts one.
    ///
    /// - Parameters:
    ///   - size: The number of elements of a page.
    ///   - name: The parameter. Defaults to `limit`.
    public func size(_ size: Int, name: String = "limit") -> Pagination {
        with { ($0.size, $0.sizeParameter) = (size, name) }
    }

    /// Returns the pagination with a maximum number of pages: a list with more of them is an error.
    ///
    /// Defaults to 10,000.
    public func limit(pages: Int) -> Pagination { with { $0.maximumOfPages = max(1, pages) } }

    private func with(_ change: (inout Pagination) -> Void) -> Pagination {
        var copy = self
        change(&copy)
        return copy
    }

    /// The names of the parameters that select a page.
    package var parameters: Set<String> { Set([parameter, sizeParameter].filter { !$0.isEmpty }) }

    /// Whether the next page is found by numbers only, so that the body and the fields of a response are not necessary.
    package var isNumbered: Bool {
        guard totalPath == nil, pageCountPath == nil else { return false }
        return hasNumbers
    }

    /// Whether a page can be requested by its number.
    var hasNumbers: Bool {
        switch style {
        case .page, .offset: true
        case .linkHeader, .cursor, .nextURL: false
        }
    }
}
