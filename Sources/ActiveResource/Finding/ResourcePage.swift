/// The records of a list with their response.
///
/// ```swift
/// let page = try await Person.all().load()
/// print(page.count, page.totalCount ?? 0, page.links["next"] ?? "no next page")
/// ```
public struct ResourcePage<Record>: RandomAccessCollection {
    /// The records.
    public var records: [Record]
    /// The response; `nil` if no request was needed.
    public let response: RESTResponse?
    /// The complete body, for a resource with a custom ``CollectionParser``; null for others.
    public let data: JSON
    /// The position of the next page, for a page of ``ResourceQuery/pages(_:from:)``; `nil` for the last page.
    public internal(set) var nextPage: PagePosition?

    init(_ records: [Record], response: RESTResponse? = nil, data: JSON = .null) {
        self.records = records
        self.response = response
        self.data = data
    }

    /// The position of the first record: 0.
    public var startIndex: Int { 0 }
    /// The number of records.
    public var endIndex: Int { records.count }
    /// The record at a position.
    public subscript(position: Int) -> Record { records[position] }

    /// The number of records on all pages, from a field such as `X-Total-Count`; `nil` without it.
    public var totalCount: Int? { response?.totalCount }

    /// The URLs of other pages by their relation in lowercase, such as `next`, from the field `Link` (RFC 8288).
    public var links: [String: URL] { response?.links ?? [:] }
}

extension ResourcePage: Sendable where Record: Sendable {}
