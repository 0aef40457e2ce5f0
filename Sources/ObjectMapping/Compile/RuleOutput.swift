/// How a rule's property is written.
struct RuleOutput: Sendable {
    /// Where the value is found.
    let source: Source
    /// How it is written; a modifier that converts puts a box of its own here.
    var box: @Sendable (OutputBuilder) -> OutputBox

    init<Value>(_ property: Property, of _: Value.Type, _ box: @escaping @Sendable (OutputBuilder) -> OutputBox) {
        source = Source(property, Value.self)
        self.box = box
    }

    /// - Parameter isOptional: Whether the property is an optional of the type.
    init<Value>(
        _ property: Property, of _: Value.Type, orNil isOptional: Bool,
        _ box: @escaping @Sendable (OutputBuilder) -> OutputBox
    ) {
        self =
            isOptional
            ? RuleOutput(property, of: Value?.self) { OptionalOutput<Value>(box($0)) }
            : RuleOutput(property, of: Value.self, box)
    }

    /// A property as it is read out of a model.
    struct Source: Sendable {
        /// Bytes from the start of the model, where the property is stored in a struct.
        let offset: Int?
        let keyPath: @Sendable () -> AnyKeyPath
        /// Copies the property of the model in the first memory into the second, which is empty.
        let load: @Sendable (Memory, Memory) -> Void
        let size: Int
        let alignment: Int
        /// Empties memory that holds a copy.
        let destroy: @Sendable (Memory) -> Void

        fileprivate init<Value>(_ property: Property, _: Value.Type) {
            offset = property.offset
            keyPath = property.keyPath
            load = property.load
            size = max(1, MemoryLayout<Value>.size)
            alignment = MemoryLayout<Value>.alignment
            destroy = { $0.deinitialize(as: Value.self) }
        }
    }

    /// The entry; its rule number, key and word on nil are set afterwards.
    func entry(_ builder: OutputBuilder) -> OutputEntry {
        var entry = OutputEntry(operation: .value, key: builder.noKey)
        let box = box(builder)
        if let offset = source.offset {
            entry.operation = box.operation
            entry.offset = offset
            entry.box = builder.keep(box)
        } else {
            _ = builder.keep(box)
            entry.box = builder.keep(LoadedOutput(box, source))
        }
        return entry
    }
}
