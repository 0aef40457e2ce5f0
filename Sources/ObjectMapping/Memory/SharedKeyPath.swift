/// A key path whose type does not say that threads may share it.
///
/// Safe: key paths never change, and those of properties capture no values. `Sendable` does not change the representation.
func shared<Root, Value>(_ path: KeyPath<Root, Value>) -> any KeyPath<Root, Value> & Sendable {
    unsafe unsafeBitCast(path, to: (any KeyPath<Root, Value> & Sendable).self)
}
