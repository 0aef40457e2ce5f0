extension Mapping {
    /// Writes a model as JSON text, by the same rules that read it.
    ///
    /// ```swift
    /// let body = try User.mapping.serialize(user, rootKey: "user")   // {"user":{"id":7,"name":"Ada"}}
    /// ```
    ///
    /// Members stand in the order of the rules; key paths with a common beginning share the objects on their way. Left
    /// out are rules that are read-only, that have an operator in their key path, and those of `.parent`, `.root`,
    /// `.metadata` and `.index`. Of two rules that write the same key the first counts.
    ///
    /// Dates are written in UTC with milliseconds (what is finer is lost), decimals with all their digits, sets in the
    /// order of their elements' bytes.
    ///
    /// - Parameters:
    ///   - model: What is written.
    ///   - rootKey: Where in the text the model's object goes, plain keys joined by dots; by default it is the text.
    ///   - options: What becomes of nil, and how the text is laid out.
    /// - Throws: `MappingError` with everything that JSON cannot hold, such as NaN, or a mistake in the mapping.
    public func serialize(
        _ model: Model, rootKey: JSONKeyPath = "", options: WritingOptions = WritingOptions()
    ) throws(MappingError) -> Data {
        try written(rootKey, options, { $0.one(model) }, { $0.data })
    }

    /// Writes models as a JSON array of objects, or in another shape.
    ///
    /// - Parameters:
    ///   - models: What is written, in this order.
    ///   - shape: How they stand in the text: in an array, as the members of an object under the keys that the rule
    ///     with the source `.key` gives, or one a line; lines are never laid out on several.
    ///   - rootKey: Where in the text the array goes, plain keys joined by dots; by default it is the text.
    ///   - options: What becomes of nil, and how the text is laid out.
    /// - Throws: `MappingError` with everything that JSON cannot hold, such as NaN, or a mistake in the mapping.
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

    /// A model as a JSON value, to be changed or sent as a form.
    ///
    /// - Parameters:
    ///   - model: What becomes JSON.
    ///   - rootKey: Where in the value the model's object goes, plain keys joined by dots; by default it is the value.
    ///   - options: What becomes of nil.
    /// - Throws: `MappingError` with everything that JSON cannot hold, such as NaN, or a mistake in the mapping.
    public func json(
        of model: Model, rootKey: JSONKeyPath = "", options: WritingOptions = WritingOptions()
    ) throws(MappingError) -> JSON {
        try written(rootKey, options, { $0.one(model) }, { $0.value(from: 0) ?? .null })
    }

    /// Models as a JSON array of objects, or as an object of them.
    ///
    /// - Parameters:
    ///   - models: What becomes JSON, in this order.
    ///   - shape: How they stand in the value: in an array, or as the members of an object under the keys that the
    ///     rule with the source `.key` gives.
    ///   - rootKey: Where in the value the array goes, plain keys joined by dots; by default it is the value.
    ///   - options: What becomes of nil.
    /// - Throws: `MappingError` with everything that JSON cannot hold, such as NaN, or a mistake in the mapping.
    public func json(
        of models: some Sequence<Model>, each shape: ElementShape = .element, rootKey: JSONKeyPath = "",
        options: WritingOptions = WritingOptions()
    ) throws(MappingError) -> JSON {
        try written(rootKey, options, { $0.many(models, each: shape) }, { $0.value(from: 0) ?? .null })
    }

    /// A model with the values that its store has, as a JSON value.
    ///
    /// - Throws: `MappingError` with everything that JSON cannot hold, or a mistake in the mapping.
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

    /// Lays objects of one member each around what a closure writes.
    fileprivate mutating func enclose(in keys: ArraySlice<String>, _ write: (inout PlanWriter) -> Void) {
        guard let key = keys.first else { return write(&self) }
        let start = out.count
        out.key(key)
        enclose(in: keys.dropFirst(), write)
        out.encloseObject(from: start)
    }
}

/// What is written for a property that is nil.
///
/// Left out, as by default, nil says nothing: a server that merges what it gets (RFC 7396) leaves its value alone, and
/// what reads the text into a fresh model gives the property its fresh value, which may be another than nil. Null says
/// that there is no value, and comes back as nil.
public enum WhenNil: Sendable, Hashable {
    /// Nothing: the key is left out.
    case omit
    /// Null.
    case null
}

extension PropertyRule {
    /// The same rule, with its own word on what is written for nil; it goes before that of `WritingOptions`.
    public func whenNil(_ output: WhenNil) -> Self { with { $0.whenNil = output } }
}

/// How models are written.
public struct WritingOptions: Sendable, Hashable {
    /// What is written for properties that are nil, where the rule does not say; left out by default.
    public var whenNil: WhenNil
    /// Whether the text is laid out on several lines; on one line without blanks by default.
    public var isPrettyPrinted: Bool
    /// How deep objects may nest, which tells objects that hold each other.
    public var limits: MappingLimits

    /// Options with defaults.
    ///
    /// - Parameters:
    ///   - whenNil: What is written for properties that are nil, where the rule does not say.
    ///   - isPrettyPrinted: Whether the text is laid out on several lines.
    ///   - limits: How deep objects may nest; the other limits are for reading.
    public init(whenNil: WhenNil = .omit, isPrettyPrinted: Bool = false, limits: MappingLimits = MappingLimits()) {
        self.whenNil = whenNil
        self.isPrettyPrinted = isPrettyPrinted
        self.limits = limits
    }
}
