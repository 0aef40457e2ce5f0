/// A body that is written by a mapping.
///
/// ```swift
/// let body = MappedBody(tasks, using: ProjectTask.mapping, rootKey: "tasks")
/// let response = try await client.put("/tasks", body)
///
/// var edited = task
/// edited.title = "Blue kettle"
/// let changes = MappedBody(edited, changedFrom: task, using: ProjectTask.mapping)
/// let task = try await client.patch("/tasks/7", changes, as: ProjectTask.self)   // {"title":"Blue kettle"}
/// ```
///
/// To omit a member, pass `ProjectTask.mapping.omitting("owner")`.
///
/// The body is written when it is created. If the model cannot be written, sending the request throws a `RequestError` of
/// kind `invalidBody`, which names the issues.
public struct MappedBody: RequestSerializable, Sendable {
    private let content: Result<Data, any Error>
    /// The content type: that of the format, such as `application/json`, or `application/merge-patch+json` for changes.
    ///
    /// A field `Content-Type` of the request replaces it.
    public let contentType: String

    private init(contentType: String, _ write: () throws -> Data) {
        content = Result(catching: write)
        self.contentType = contentType
    }

    private init(_ format: some PayloadFormat, _ write: () throws(MappingError) -> Data) {
        self.init(contentType: format.mediaType) {
            let json = try write()
            return format is JSONFormat ? json : try format.encode(JSON(json), root: nil)
        }
    }

    /// A body of one model.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - mapping: The mapping that writes it.
    ///   - rootKey: The key path of the model's object in the body, plain keys joined by dots. Defaults to the body itself.
    ///   - options: What is written for `nil`, and the layout.
    ///   - format: The format of the body. Defaults to JSON.
    public init<Model>(
        _ model: Model, using mapping: Mapping<Model>, rootKey: JSONKeyPath = "",
        options: WritingOptions = WritingOptions(), format: some PayloadFormat = .json
    ) {
        self.init(format) { () throws(MappingError) in
            try mapping.serialize(model, rootKey: rootKey, options: options)
        }
    }

    /// Creates a body of one model with null for the members that became `nil` since it was written to a JSON value.
    ///
    /// - Parameter old: The earlier result of `Mapping.json(of:)` without a root key.
    package init<Model>(
        _ model: Model, withClearedSince old: JSON, using mapping: Mapping<Model>, rootKey: JSONKeyPath,
        options: WritingOptions, format: some PayloadFormat
    ) {
        self.init(format) { () throws(MappingError) in
            let json = try mapping.json(of: model, rootKey: rootKey, options: options)
            let patch = try JSON(mapping.serialize(model, changedFrom: old, rootKey: rootKey))
            let complete = json.adding(nullsOf: patch)
            return options.isPrettyPrinted ? Data(complete.prettyPrinted.utf8) : complete.data
        }
    }

    /// Creates a body that contains a JSON array of models.
    ///
    /// - Parameters:
    ///   - models: The models, in this order.
    ///   - mapping: The mapping that writes each of them.
    ///   - rootKey: The key path of the array in the body, plain keys joined by dots. Defaults to the body itself.
    ///   - options: What is written for `nil`, and the layout.
    ///   - format: The format of the body. Defaults to JSON.
    public init<Model>(
        _ models: some Sequence<Model>, using mapping: Mapping<Model>, rootKey: JSONKeyPath = "",
        options: WritingOptions = WritingOptions(), format: some PayloadFormat = .json
    ) {
        self.init(format) { () throws(MappingError) in
            try mapping.serialize(models, rootKey: rootKey, options: options)
        }
    }

    /// Creates a body of the changes of a model, as a merge patch (RFC 7396); `{}` if it is unchanged.
    ///
    /// - Parameters:
    ///   - model: The current model.
    ///   - old: The earlier model, which must be a copy; for objects of a class, pass a `JSON`.
    ///   - mapping: The mapping that writes both.
    ///   - rootKey: The key path of the changes in the body, plain keys joined by dots. Defaults to the body itself.
    ///   - format: The format of the body, for servers that do not read merge patches. Defaults to `nil`, a merge patch.
    public init<Model>(
        _ model: Model, changedFrom old: Model, using mapping: Mapping<Model>, rootKey: JSONKeyPath = "",
        format: (any PayloadFormat)? = nil
    ) {
        self.init(patch: format) { () throws(MappingError) in
            try mapping.serialize(model, changedFrom: old, rootKey: rootKey)
        }
    }

    /// Creates a body of the changes of a model since it was written to a JSON value, as a merge patch (RFC 7396); `{}` if
    /// it is unchanged.
    ///
    /// - Parameters:
    ///   - model: The current model.
    ///   - old: The earlier result of `Mapping.json(of:)` without a root key.
    ///   - mapping: The mapping that writes the model.
    ///   - rootKey: The key path of the changes in the body, plain keys joined by dots. Defaults to the body itself.
    ///   - format: The format of the body, for servers that do not read merge patches. Defaults to `nil`, a merge patch.
    public init<Model>(
        _ model: Model, changedFrom old: JSON, using mapping: Mapping<Model>, rootKey: JSONKeyPath = "",
        format: (any PayloadFormat)? = nil
    ) {
        self.init(patch: format) { () throws(MappingError) in
            try mapping.serialize(model, changedFrom: old, rootKey: rootKey)
        }
    }

    private init(patch format: (any PayloadFormat)?, _ write: () throws(MappingError) -> Data) {
        self.init(contentType: format?.mediaType ?? "application/merge-patch+json") {
            let patch = try write()
            return try format.map { try $0.encode(JSON(patch), root: nil) } ?? patch
        }
    }

    /// The number of bytes in the body.
    public var contentLength: Int64? { try? Int64(content.get().count) }

    /// The text of the body.
    public func makeBodyData() throws -> Data? {
        do { return try content.get() } catch let error as MappingError {
            throw RequestError(.invalidBody, "the model cannot be written as JSON: \(error)", underlying: error)
        } catch {
            // The text of the error can contain values.
            throw RequestError(
                .invalidBody, "the model cannot be written as \(contentType): \(type(of: error))", underlying: error)
        }
    }
}

extension JSON {
    /// Returns the value with the members that are null in a merge patch, and that it does not have.
    fileprivate func adding(nullsOf patch: JSON) -> JSON {
        guard let members = object, let changes = patch.object else { return self }
        let known = members.map { (key: $0.key, value: $0.value.adding(nullsOf: patch[$0.key])) }
        let cleared = changes.filter { members[$0.key] == nil && ($0.value.isNull || $0.value.object != nil) }
        return .object(JSONObject(known + cleared.map { (key: $0.key, value: $0.value) }))
    }
}
