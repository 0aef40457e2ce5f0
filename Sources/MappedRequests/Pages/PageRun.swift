/// The state of a run through the pages of a list: which page is next, or why the list ends.
package struct PageRun: Sendable {
    /// What a request needs to know of a page.
    package enum Target: Sendable, Hashable {
        /// The parameters of the query.
        case parameters([FormValue.Field])
        /// The URL, which has the origin of the service.
        case url(URL)
    }

    let pagination: Pagination
    /// The URL of the service.
    private let origin: URL
    private let list: String
    /// Whether the run began with the first page.
    private let isFromStart: Bool
    /// The next page; `nil` at the end.
    private(set) var next: Result<PagePosition?, PageError>
    /// The pages of this run.
    private(set) var count = 0
    /// The number of all elements, as the last response counts them.
    package private(set) var total: Int?
    /// The number of all pages, as the last response counts them.
    private(set) var pageCount: Int?
    private var requested: Set<Target> = []
    /// The bodies of the first and the last page: services return these for pages that do not exist.
    private var bodies: (first: Data, last: Data)?

    /// Starts a run.
    ///
    /// - Parameters:
    ///   - origin: The URL of the service.
    ///   - list: Identifies the list, such as its path.
    ///   - position: The first page of the run; `nil` for that of the list.
    package init(_ pagination: Pagination, origin: URL, list: String, from position: PagePosition? = nil) {
        (self.pagination, self.origin, self.list) = (pagination, origin, list)
        isFromStart = position == nil || position?.number == 1
        next = .success(nil)
        do throws(PageError) {
            if let size = pagination.size, size < 1 {
                throw PageError(.invalidPage, "the size of a page must be 1 or more, found \(size)")
            }
            if let position, position.list != list {
                throw PageError(
                    .otherList, "the position belongs to another path or query; start without a position")
            }
            if let position, position.pagination != pagination.identity {
                throw PageError(
                    .otherList,
                    "the position belongs to another pagination: expected '\(pagination.identity)', found "
                        + "'\(position.pagination)'; start without a position")
            }
            next = .success(position ?? start)
            _ = try position.map(target)
        } catch { next = .failure(error) }
    }

    private var start: PagePosition {
        let value =
            switch pagination.style {
            case .page(let first): "\(first)"
            case .offset: "0"
            case .linkHeader, .cursor, .nextURL: ""
            }
        return position(1, offset: 0, value)
    }

    /// Returns the position of a page by its number from 1; `nil` if only the page before it knows it.
    func position(ofPage number: Int) -> PagePosition? {
        guard number >= 1 else { return nil }
        if number == 1 { return start }
        guard pagination.hasNumbers, let size = pagination.size else { return nil }
        let (offset, isTooLarge) = (number - 1).multipliedReportingOverflow(by: size)
        guard !isTooLarge else { return nil }
        guard case .page(let first) = pagination.style else {
            return position(number, offset: offset, "\(offset)")
        }
        let (value, isLarge) = first.addingReportingOverflow(number - 1)
        return isLarge ? nil : position(number, offset: offset, "\(value)")
    }

    private func position(_ number: Int, offset: Int, _ value: String) -> PagePosition {
        PagePosition(number: number, offset: offset, value: value, list: list, pagination: pagination.identity)
    }

    /// Returns what the request of a page needs.
    func target(_ position: PagePosition) throws(PageError) -> Target {
        let damaged = PageError(.otherList, "the position is not one of this pagination; start without a position")
        guard position.number >= 1, position.offset >= 0 else { throw damaged }
        var fields: [FormValue.Field] = []
        switch pagination.style {
        case .page, .offset:
            guard Int(position.value) != nil else { throw damaged }
            fields.append(FormValue.Field(name: pagination.parameter, value: .text(position.value)))
        case .cursor:
            if !position.value.isEmpty {
                fields.append(FormValue.Field(name: pagination.parameter, value: .text(position.value)))
            }
        case .linkHeader, .nextURL:
            guard position.value.isEmpty else {
                guard let url = URL(string: position.value), let target = url.target(at: origin) else { throw damaged }
                return .url(target)
            }
        }
        if let size = pagination.size, !pagination.sizeParameter.isEmpty {
            fields.append(FormValue.Field(name: pagination.sizeParameter, value: .text("\(size)")))
        }
        return .parameters(fields)
    }

    /// The position of the next page; `nil` at the end, and if it cannot be requested.
    package var nextPosition: PagePosition? { (try? next.get()) ?? nil }

    /// Whether the service ended the list.
    package var hasEnded: Bool { if case .success(nil) = next { count > 0 } else { false } }

    /// Whether the run has all elements of the list: it began at the start, and the service ended and counted them so.
    package var isComplete: Bool {
        guard isFromStart, hasEnded, unreadable == nil, !hasPage(after: lastNumber) else { return false }
        return total == nil || total == elements
    }

    /// What could not be read of a page, such as a count that is not a number; `nil` if nothing.
    package private(set) var unreadable: String?
    /// The number of elements, with those of pages before the run.
    private var elements = 0
    /// The number of the last page that was received.
    private var lastNumber = 0

    /// Whether the service counts pages after a number; `false` without a count.
    private func hasPage(after number: Int) -> Bool { pageCount.map { $0 > number } ?? false }

    // MARK: Responses

    /// Accepts a page, and finds the next one.
    ///
    /// - Parameters:
    ///   - response: The response; `nil` if no request was needed: the list ends.
    ///   - position: The position of the page.
    ///   - count: The number of elements on the page; `nil` if it is unknown.
    /// - Throws: `PageError` if the page is not used. An error of the next page is thrown when it is requested.
    package mutating func receive(
        _ response: RESTResponse?, at position: PagePosition, count: Int?
    ) throws(PageError) {
        guard let response else {
            next = .success(nil)
            return
        }
        requested.insert(try target(position))
        // A link can lead to the first page, which was requested by parameters, or to the target of a redirect.
        requested.insert(.url(response.url))
        if count != 0, !response.body.isEmpty {
            guard bodies?.first != response.body, bodies?.last != response.body else {
                throw PageError(
                    .repeatedPage,
                    "\(response.summary): expected another page, found the content of an earlier one; check the names "
                        + "of the parameters of the pagination")
            }
            bodies = (bodies?.first ?? response.body, response.body)
        }
        self.count += 1
        lastNumber = position.number
        elements = position.offset &+ (count ?? 0)
        let body = PageBody(response)
        unreadable = unreadable ?? unreadablePart(of: response, body)
        total =
            if let path = pagination.totalPath {
                body.count(at: path)
            } else if let field = pagination.totalField {
                response.headers[field].flatMap { Int($0) }
            } else { response.totalCount }
        pageCount = pagination.pageCountPath.flatMap(body.count)
        do throws(PageError) {
            let value = try value(after: position, response, body, count)
            guard let value else {
                next = .success(nil)
                return
            }
            let following = self.position(position.number &+ 1, offset: elements, value)
            next = .success(try checked(following, response, count))
        } catch { next = .failure(error) }
    }

    /// Returns the count or link of a page that cannot be read; `nil` if all can.
    private func unreadablePart(of response: RESTResponse, _ body: PageBody) -> String? {
        for path in [pagination.totalPath, pagination.pageCountPath].compactMap({ $0 })
        where body.hasValue(at: path) && body.count(at: path) == nil {
            return "the count at '\(path)' is not a number"
        }
        if case .cursor(_, let hasMore?) = pagination.style, body.hasValue(at: hasMore), body[hasMore]?.bool == nil {
            return "the value at '\(hasMore)' is not a Boolean"
        }
        if let field = pagination.totalField, let text = response.headers[field], Int(text) == nil {
            return "the field '\(field)' is not a number"
        }
        return response.unreadableField.map { "the field '\($0)' cannot be read" }
    }

    /// Ends the list before a page that does not exist.
    ///
    /// - Returns: Whether this is an end: for a page with a number after the first one, unless the service counts more.
    mutating func endsBeforeMissing(_ position: PagePosition) -> Bool {
        guard pagination.hasNumbers, count > 0, total.map({ $0 <= position.offset }) ?? true,
            !hasPage(after: position.number - 1)
        else { return false }
        next = .success(nil)
        return true
    }

    /// Returns the value of the next position; `nil` at the end.
    private func value(
        after position: PagePosition, _ response: RESTResponse, _ body: PageBody, _ count: Int?
    ) throws(PageError) -> String? {
        switch pagination.style {
        case .linkHeader:
            guard let link = response.links["next"] else { return nil }
            return try url(link)
        case .nextURL(let keyPath):
            guard let text = try body.text(at: keyPath, "the URL of the next page") else { return nil }
            guard let url = URL(string: text, relativeTo: response.url)?.absoluteURL else {
                throw PageError(.invalidPage, "\(response.summary): the value at '\(keyPath)' is not a URL")
            }
            return try self.url(url)
        case .cursor(let keyPath, let hasMore):
            let isContinued = hasMore.flatMap { body[$0]?.bool }
            if isContinued == false { return nil }
            let cursor = try body.text(at: keyPath, "the cursor of the next page")
            guard cursor != nil || isContinued == nil else {
                throw PageError(
                    .invalidPage,
                    "\(response.summary): expected a cursor at '\(keyPath)', because the service has more elements, "
                        + "found none")
            }
            return cursor
        case .page:
            guard let next = self.position(ofPage: position.number &+ 1),
                let number = Int(position.value), try continues(after: position, at: next.offset, response, count)
            else { return nil }
            return "\(number &+ 1)"
        case .offset:
            // The elements of an empty page can be filtered out by the service.
            let step = count == 0 ? pagination.size ?? 1 : count ?? 0
            let (next, isTooLarge) = (Int(position.value) ?? .max).addingReportingOverflow(step)
            guard !isTooLarge, try continues(after: position, at: next, response, count) else { return nil }
            return "\(next)"
        }
    }

    /// Whether another page follows one that has a number.
    ///
    /// - Parameter offset: The number of elements before the next page, with those that the service filters out.
    private func continues(
        after position: PagePosition, at offset: Int, _ response: RESTResponse, _ count: Int?
    ) throws(PageError) -> Bool {
        // A count can be that of a page, or be outdated.
        if response.links["next"] != nil { return true }
        if pageCount != nil { return hasPage(after: position.number) }
        if count == 0 { return total.map { $0 > offset } ?? false }
        guard let count else {
            throw PageError(
                .invalidPage,
                "\(response.summary): expected a list at the top of the body or in its only array, whose "
                    + "elements are counted; use `total(at:)` or pass the type of the elements")
        }
        // A count that is smaller than what was received is not one of all elements.
        if let total, total >= elements { return total > elements }
        return count >= pagination.size ?? 0
    }

    /// Returns a link as the value of a position.
    private func url(_ link: URL) throws(PageError) -> String {
        guard let target = link.target(at: origin) else {
            throw PageError(
                .otherOrigin,
                "the next page has another origin: expected a link to \(origin.shown), found \(link.shown)")
        }
        return target.absoluteString
    }

    /// Returns the next position, unless it was requested before; `nil` at the end.
    private func checked(
        _ next: PagePosition, _ response: RESTResponse, _ count: Int?
    ) throws(PageError) -> PagePosition? {
        if requested.contains(try target(next)) {
            // Some services repeat the last cursor after the last element.
            if case .cursor = pagination.style, count == 0 { return nil }
            throw PageError(
                .repeatedPage,
                "\(response.summary): the pages are a circle: expected another page, found one that was requested "
                    + "before")
        }
        guard self.count < pagination.maximumOfPages else {
            throw PageError(
                .tooManyPages,
                "the list has more than \(pagination.maximumOfPages) pages; raise the limit with `limit(pages:)`")
        }
        return next
    }
}

/// The body of a page, which is parsed when a value in it is read.
private final class PageBody {
    private let response: RESTResponse
    private lazy var json = try? ResponseReader(response).read { (body) throws(MappingError) in try body.json }

    init(_ response: RESTResponse) { self.response = response }

    subscript(keyPath: JSONKeyPath) -> JSON? { try? json?.value(at: keyPath) }

    func hasValue(at keyPath: JSONKeyPath) -> Bool { self[keyPath].map { $0.exists && !$0.isNull } ?? false }

    /// Returns a number that counts; `nil` if it is missing or something else.
    func count(at keyPath: JSONKeyPath) -> Int? {
        let value = self[keyPath]
        return (value?.int ?? value?.string.flatMap { Int($0) }).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Returns a text or an integer as text; `nil` if it is missing, null, empty or false.
    func text(at keyPath: JSONKeyPath, _ meaning: String) throws(PageError) -> String? {
        guard let value = self[keyPath], value.exists, !value.isNull, value.bool != false else { return nil }
        if let text = value.string ?? value.int64.map({ "\($0)" }) { return text.isEmpty ? nil : text }
        throw PageError(
            .invalidPage, "\(response.summary): expected \(meaning) at '\(keyPath)' as a text, found another value")
    }
}

extension URL {
    /// Returns the URL of a link, of which `http` without a port is `https` if the origin has that; `nil` for another origin.
    package func target(at origin: URL) -> URL? {
        if isSameOrigin(as: origin) { return self }
        // From a server behind a proxy that terminates TLS.
        guard scheme?.lowercased() == "http", port == nil,
            var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return nil }
        components.scheme = "https"
        return components.url.flatMap { $0.isSameOrigin(as: origin) ? $0 : nil }
    }
}
