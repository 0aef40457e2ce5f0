/// A body that is written by a mapping, of content type `application/json`.
///
/// ```swift
/// let body = MappedBody(tasks, using: ProjectTask.mapping, rootKey: "tasks")
/// let response = try await client.put("/tasks", body)
/// ```
///
/// It is written when it is created. If the model cannot be written, sending the request throws a `RequestError` of
/// kind `invalidBody`, which names the issues.
public struct MappedBody: RequestSerializable, Sendable {
    private let json: Result<Data, MappingError>

    /// A body of one model.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - mapping: The mapping that writes it.
    ///   - rootKey: The key path of the model's object in the body, plain keys joined by dots. Defaults to the body itself.
    ///   - options: What is written for `nil`, and the layout.
    public init<Model>(
        _ model: Model, using mapping: Mapping<Model>, rootKey: JSONKeyPath = "",
        options: WritingOptions = WritingOptions()
    ) {
        json = Result { () throws(MappingError) in try mapping.serialize(model, rootKey: rootKey, options: options) }
    }

    /// Creates a body that contains a JSON array of models.
    ///
    /// - Parameters:
    ///   - models: The models, in this order.
    ///   - mapping: The mapping that writes each of them.
    ///   - rootKey: The key path of the array in the body, plain keys joined by dots. Defaults to the body itself.
    ///   - options: What is written for `nil`, and the layout.
    public init<Model>(
        _ models: some Sequence<Model>, using mapping: Mapping<Model>, rootKey: JSONKeyPath = "",
        options: WritingOptions = WritingOptions()
    ) {
        json = Result { () throws(MappingError) in try mapping.serialize(models, rootKey: rootKey, options: options) }
    }

    /// `application/json`.
    public var contentType: String { "application/json" }

    /// The number of bytes in the body.
    public var contentLength: Int64? { try? Int64(json.get().count) }

    /// The JSON text.
    public func makeBodyData() throws -> Data? {
        do throws(MappingError) {
            return try json.get()
        } catch {
            throw RequestError(.invalidBody, "the model cannot be written as JSON: \(error)")
        }
    }
}
