/// The reason why the next page of a list cannot be requested, or is not used.
///
/// Pages before it were returned. Errors of requests and bodies are thrown as they are.
public struct PageError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The next page has another origin, which receives no request.
        case otherOrigin
        /// The service returned a page again, or refers to one that was requested before.
        case repeatedPage
        /// The list has more pages than ``Pagination/limit(pages:)``.
        case tooManyPages
        /// The cursor, the URL or the count in a response is not valid.
        case invalidPage
        /// The page does not exist, or the pagination cannot find pages by their number.
        case noSuchPage
        /// The position belongs to another list or pagination, or is damaged.
        case otherList
        /// A later call replaced or cancelled this one.
        case replaced
    }

    /// The kind of failure.
    public let kind: Kind
    /// What was expected, what was found, and what to do; without values of the response.
    public let description: String

    init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }
}

extension PageError: LocalizedError {
    /// The `description`.
    public var errorDescription: String? { description }
}
