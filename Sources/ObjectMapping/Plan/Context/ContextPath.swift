/// The key path of a source in an object around the one that is read.
final class ContextPath: Sendable {
    let path: JSONKeyPath
    /// Its number among those of the plan, for what is computed once.
    let number: Int
    /// The number of its first key among the first keys of the plan's paths; nil for an operator, and for none.
    let firstKey: Int?

    init(_ path: JSONKeyPath, number: Int = -1, firstKey: Int? = nil) {
        self.path = path
        self.number = number
        self.firstKey = firstKey
    }
}
