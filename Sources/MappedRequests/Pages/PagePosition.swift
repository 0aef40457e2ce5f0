/// The position of a page in a list, at which a later run can continue.
///
/// ```swift
/// for try await page in manager.pages("/projects", .linkHeader, from: stored) {
///     stored = page.nextPage                                       // `Codable`; `nil` after the last page
/// }
/// ```
///
/// It contains the cursor or the URL of the page, which can be secrets of the service. It belongs to the path, the query and
/// the pagination with which it was found: with others, a run throws ``PageError`` of kind `otherList`.
public struct PagePosition: Sendable, Hashable, Codable {
    /// The number of the page, from 1, counted from the start of the list.
    public let number: Int
    /// The number of elements on the pages before it.
    public let offset: Int
    /// The number, offset, cursor or URL of the page as text; empty for the first one.
    let value: String
    /// The list: its path and query, without the parameters of the page.
    let list: String
    /// The pagination: the meaning of the value.
    let pagination: String
}

extension PagePosition: CustomStringConvertible, CustomReflectable {
    /// The number of the page and of the elements before it, without cursor and URL.
    public var description: String { "page \(number), after \(offset) elements" }

    /// The number of the page and of the elements before it.
    public var customMirror: Mirror { Mirror(self, children: ["number": number, "offset": offset]) }
}
