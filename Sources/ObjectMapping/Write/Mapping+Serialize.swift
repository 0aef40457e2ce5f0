extension Mapping {
    /// Writes a model as JSON text, with the rules that read it.
    ///
    /// ```swift
    /// let body = try User.mapping.serialize(user, rootKey: "user")   // {"user":{"id":7,"name":"Ada"}}
    /// ```
    ///
    /// Members are in the order of the rules; key paths with a common start share their objects. Rules that are
    /// read-only, that have an operator in their key path, and those of `.parent`, `.root`, `.metadata` and `.index`
    /// are omitted. If two rules write the same key, the first one is used.
    ///
    /// Dates are written in UTC with milliseconds, decimals with all their digits, and sets sorted by the bytes of
    /// their elements.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - rootKey: The key path of the model's object in the text, plain keys joined by dots. Defaults to the text
    ///     itself.
    ///   - options: The output for `nil`, and the layout of the text.
    /// - Throws: `MappingError` with all values that JSON cannot represent, such as NaN, or an error in the mapping.
    public func serialize(
        _ model: Model, rootKey: JSONKeyPath = "", options: WritingOptions = WritingOptions()
    ) throws(MappingError) -> Data {
        try written(rootKey, options, { $0.one(model) }, { $0.data })
    }

    /// Writes models as a JSON array of objects, or in another arrangement.
    ///
    /// - Parameters:
    ///   - models: The models, in order.
    ///   - shape: How the elements are arranged: in an array, as the members of an object whose keys are written by the
    ///     rule with the source `.key`, or one per line, without indentation.
    ///   - rootKey: The key path of the array in the text, plain keys joined by dots. Defaults to the text itself.
    ///   - options: The output for `nil`, and the layout of the text.
    /// - Throws: `MappingError` with all values that JSON cannot represent, such as NaN, or an error in the mapping.
    public func serialize(
        _ models: some Sequence<Model>, each shape: ElementShape = .element, rootKey: JSONKeyPath = "",
        options: WritingOptions = WritingOptions()
    ) throws(MappingError) -> Data {
        guard shape == .line else {
            return try written(rootKey, options, { $0.many(models, each: shape) }, { $0.data })
        }
        var options = options
        options.isPrettyPrinted = false
        var text = Data()
        for model in models { text += try serialize(model, rootKey: rootKey, options: options) + [0x0A] }
        return text
    }

    /// Returns a model as a JSON value, for changes or for a form.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - rootKey: The key path of the model's object in the value, plain keys joined by dots. Defaults to the value
    ///     itself.
    ///   - options: The output for `nil`.
    /// - Throws: `MappingError` with all values that JSON cannot represent, such as NaN, or an error in the mapping.
    public func json(
        of model: Model, rootKey: JSONKeyPath = "", options: WritingOptions = WritingOptions()
    ) throws(MappingError) -> JSON {
        try written(rootKey, options, { $0.one(model) }, { $0.value(from: 0) ?? .null })
    }

    /// Returns models as a JSON array of objects, or as an object of them.
    ///
    /// - Parameters:
    ///   - models: The models, in order.
    ///   - shape: How the elements are arranged: in an array, or as the members of an object whose keys are written by
    ///     the rule with the source `.key`.
    ///   - rootKey: The key path of the array in the value, plain keys joined by dots. Defaults to the value itself.
    ///   - options: The output for `nil`.
    /// - Throws: `MappingError` with all values that JSON cannot represent, such as NaN, or an error in the mapping.
    public func json(
        of models: some Sequence<Model>, each shape: ElementShape = .element, rootKey: JSONKeyPath = "",
        options: WritingOptions = WritingOptions()
    ) throws(MappingError) -> JSON {
        try written(rootKey, options, { $0.many(models, each: shape) }, { $0.value(from: 0) ?? .null })
    }

    /// Returns a model as a JSON value, with the values in its store.
    ///
    /// - Throws: `MappingError` with all values that JSON cannot represent, or an error in the mapping.
    package func savedJSON(of model: Model) throws(MappingError) -> JSON {
        try written(
            "", WritingOptions(),
            { writer in
                writer.objects.areSaved = true
                writer.one(model)
            }, { $0.value(from: 0) ?? .null })
    }

    func written<Result>(
        _ rootKey: JSONKeyPath, _ options: WritingOptions, _ write: (inout PlanWriter) -> Void,
        _ result: (borrowing JSONWriter) -> Result
    ) throws(MappingError) -> Result {
        guard let keys = rootKey.plainKeys, rootKey.issue == nil else {
            throw MappingError(.mapping("plain keys as the root key", "the key path '\(rootKey)'"))
        }
        var writer = PlanWriter(try storage.output(), options)
        writer.enclose(in: keys[...], write)
        try writer.check()
        if options.isPrettyPrinted { writer.out = writer.out.indented() }
        return result(writer.out)
    }
}

extension PlanWriter {
    fileprivate mutating func one<Model>(_ model: Model) {
        withMemory(of: model) { memory in
            if case .written = plan.root.write(memory, &self) { return }
            out.null()
        }
    }

    fileprivate mutating func many<Model>(_ models: some Sequence<Model>, each shape: ElementShape) {
        let root = plan.root
        _ = reading(models, root) { writer in
            writer.list(root, each: shape) { writer in
                let isDone: Void? = models.withElementMemory { first, count in
                    writer.elements(root, at: first, count, stride: MemoryLayout<Model>.stride, each: shape)
                }
                if isDone != nil { return }
                let operation = root.operation
                for model in models {
                    withMemory(of: model) { writer.element(root, operation, $0, each: shape) }
                }
            }
        }
    }

    /// Encloses what a closure writes in objects with one member each.
    fileprivate mutating func enclose(in keys: ArraySlice<String>, _ write: (inout PlanWriter) -> Void) {
        guard let key = keys.first else { return write(&self) }
        let start = out.count
        out.key(key)
        enclose(in: keys.dropFirst(), write)
        out.encloseObject(from: start)
    }
}

/// The output for a property that is `nil`.
///
/// With `omit`, the default, a server that merges the text (RFC 7396) keeps its value, and a new model that is read
/// from the text gets the property's initial value, which can be other than `nil`. With `null`, the value is read back
/// as `nil`.
public enum WhenNil: Sendable, Hashable {
    /// The key is omitted.
    case omit
    /// The value is null.
    case null
}

extension PropertyRule {
    /// Returns the rule with an output for `nil`, which overrides that of `WritingOptions`.
    public func whenNil(_ output: WhenNil) -> Self { with { $0.whenNil = output } }
}

/// The options of serialization.
public struct WritingOptions: Sendable, Hashable {
    /// The output for properties that are `nil`, for rules without a separate one.
    ///
    /// Defaults to `.omit`.
    public var whenNil: WhenNil
    /// Whether the text is indented on several lines.
    ///
    /// Defaults to `false`, for one line without whitespace.
    public var isPrettyPrinted: Bool
    /// The limits; only the maximum nesting is used, which detects objects that contain each other.
    public var limits: MappingLimits

    /// Creates options.
    ///
    /// - Parameters:
    ///   - whenNil: The output for properties that are `nil`, for rules without a separate one. Defaults to `.omit`.
    ///   - isPrettyPrinted: Whether the text is indented on several lines. Defaults to `false`.
    ///   - limits: The limits; only the maximum nesting is used.
    public init(whenNil: WhenNil = .omit, isPrettyPrinted: Bool = false, limits: MappingLimits = MappingLimits()) {
        self.whenNil = whenNil
        self.isPrettyPrinted = isPrettyPrinted
        self.limits = limits
    }
}
