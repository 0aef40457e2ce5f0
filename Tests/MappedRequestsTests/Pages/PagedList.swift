import LoopbackServer
import MappedRequests
import Synchronization

/// A list of accounts that a server divides into pages in every common way.
struct PagedList: Sendable {
    var ids: [Int]
    /// The largest number of elements of a page.
    var maximum = Int.max
    /// The count that the server claims; `nil` for none.
    var total: Int?
    /// Whether a page after the last one is an error.
    var is404AtEnd = false

    init(_ count: Int) { ids = Array(1...max(1, count)).filter { $0 <= count } }

    /// Returns the answer to a request.
    func answer(_ target: String) -> Answer {
        let items = URLComponents(string: target)?.queryItems ?? []
        func number(_ name: String) -> Int? { items.first { $0.name == name }?.value.flatMap { Int($0) } }
        let size = min(number("per_page") ?? number("limit") ?? 2, maximum)
        let start = number("page").map { ($0 - 1) * size } ?? number("offset") ?? number("cursor") ?? 0
        let page = ids.dropFirst(start).prefix(size)
        if page.isEmpty, start > 0, is404AtEnd { return Answer(404, body: "".utf8) }
        let end = start + page.count
        let hasMore = end < ids.count
        let accounts = page.map { #"{"id": \#($0), "name": "a\#($0)"}"# }.joined(separator: ", ")
        let meta = hasMore ? #""next": \#(end), "url": "/accounts?cursor=\#(end)", "# : #""next": null, "#
        let count = total.map { #""total": \#($0), "# } ?? ""
        var headers: [Header] = []
        if hasMore, !target.hasPrefix("/plain") {
            headers.append(Header("Link", "</accounts?cursor=\(end)>; rel=\"next\""))
        }
        if let total { headers.append(Header("X-Total-Count", "\(total)")) }
        return Answer(headers: headers, body: #"{\#(meta)\#(count)"accounts": [\#(accounts)]}"#.utf8)
    }

    func service() throws -> Service { try Service { request in answer(request.target) } }
}

extension Service {
    /// The pages of accounts, and the targets of the requests.
    func ids(
        _ path: String, _ pagination: Pagination, from position: PagePosition? = nil
    ) async throws -> [[Int]] {
        try await client.pages(path, pagination, as: Account.self, at: "accounts", from: position)
            .reduce(into: []) { $0.append($1.map(\.id)) }
    }

    var targets: [String] { server.requests.map(\.target) }
}

/// Runs an operation, and returns the kind of the error of pages that it throws.
func pageError(_ operation: () async throws -> Void) async -> PageError.Kind? {
    do { try await operation() } catch { return (error as? PageError)?.kind }
    return nil
}
