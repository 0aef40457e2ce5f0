extension Property {
    /// One that is only read; nil without a key path.
    convenience init?<Model, Value>(
        of: Model.Type, readingIfAny property: @escaping @Sendable () -> KeyPath<Model, Value>?
    ) {
        guard let keyPath = property() else { return nil }
        self.init(
            offset: MemoryLayout<Model>.offset(of: keyPath), keyPath: { property() ?? \Model.self },
            assign: { _, _ in }, reset: { _, _ in },
            load: { model, value in
                guard let keyPath = property() else { return }
                value.initialize(as: Value.self, to: model[as: Model.self][keyPath: keyPath])
            })
    }
}
