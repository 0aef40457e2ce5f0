/// Adds `Sendable` to the type of a key path.
///
/// Safe: key paths are constants, and those of properties capture no values. `Sendable` does not change the
/// representation.
func shared<Root, Value>(_ path: KeyPath<Root, Value>) -> any KeyPath<Root, Value> & Sendable {
    unsafe unsafeBitCast(path, to: (any KeyPath<Root, Value> & Sendable).self)
}
