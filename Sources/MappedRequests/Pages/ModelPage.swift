/// The models of a page with their response.
///
/// ```swift
/// for try await page in client.pages("/tasks", .linkHeader, as: ProjectTask.self) {
///     for task in page { print(task.name) }
/// }
/// ```
public struct ModelPage<Model>: RandomAccessCollection {
    /// The models.
    public var models: [Model]
    /// The response.
    public let response: RESTResponse
    /// The position of the next page, to continue there later; `nil` for the last page.
    public internal(set) var nextPage: PagePosition?

    /// The position of the first model: 0.
    public var startIndex: Int { 0 }
    /// The number of models.
    public var endIndex: Int { models.count }
    /// The model at a position.
    public subscript(position: Int) -> Model { models[position] }

    /// The number of models on all pages, from a field such as `X-Total-Count`; `nil` without it.
    public var totalCount: Int? { response.totalCount }
    /// The URLs of other pages by their relation in lowercase, such as `next`, from the field `Link` (RFC 8288).
    public var links: [String: URL] { response.links }
}

extension ModelPage: Sendable where Model: Sendable {}
