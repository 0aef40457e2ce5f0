/// The property that says how recent a model is.
struct ModificationStamp<Model>: Sendable {
    let keyPath: any AnyKeyPath & Sendable
    /// Whether the first model is to be read over the second: it is newer, or one of them has no stamp.
    let isNewer: @Sendable (_ new: Model, _ old: Model) -> Bool

    init<Value: Comparable & SendableMetatype>(_ property: any KeyPath<Model, Value> & Sendable) {
        keyPath = property
        isNewer = { Self.isNewer($0[keyPath: property], $1[keyPath: property]) }
    }

    init<Value: Comparable & SendableMetatype>(optional property: any KeyPath<Model, Value?> & Sendable) {
        keyPath = property
        isNewer = { new, old in
            guard let new = new[keyPath: property], let old = old[keyPath: property] else { return true }
            return Self.isNewer(new, old)
        }
    }

    /// Texts are versions without an order: any other one is newer.
    private static func isNewer<Value: Comparable>(_ new: Value, _ old: Value) -> Bool {
        Value.self is String.Type ? new != old : new > old
    }
}
