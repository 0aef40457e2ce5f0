/// Values for objects, by their identity: few of them.
///
/// To look at each costs less than what the runtime has to make, once, of a dictionary with such keys.
struct IdentityList<Value> {
    private var elements: [(identity: ObjectIdentifier, value: Value)] = []

    /// The first value that meets a condition.
    func first(where condition: (Value) -> Bool) -> Value? { elements.first { condition($0.value) }?.value }

    func forEach(_ body: (Value) -> Void) { elements.forEach { body($0.value) } }

    /// The value for an object; one that has a value keeps it.
    subscript(_ identity: ObjectIdentifier) -> Value? {
        get { elements.first { $0.identity == identity }?.value }
        set {
            guard let newValue, !elements.contains(where: { $0.identity == identity }) else { return }
            elements.append((identity, newValue))
        }
    }
}
